import ServiceKit
import Testing

@Suite("Sources and defaults of settings")
struct SettingsLayersTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test("if nothing is configured, every setting has its default value")
    func defaults() throws {
        let settings = try Settings.load(arguments: [], environment: [:])
        #expect(settings[.httpPort] == 8787)
        #expect(settings[.readyTimeout] == .seconds(5))
        #expect(settings[.rateLimit])
        #expect(settings[.corsOrigins].contains("capacitor://localhost"))
        #expect(settings[.googleBooksKey] == nil)
        #expect(settings.effective.allSatisfy { $0.source == .fallback })
        let values = settings.effective.reduce(into: [:]) { $0[$1.name] = $1.value }
        #expect(values["BOOKSTRACK_READY_TIMEOUT_MS"] == "5000")
        #expect(values["BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND"] == "1")
        #expect(values["BOOKSTRACK_RUNTIME_DIR"]?.hasPrefix("/") == true)
    }

    @Test("the command line overrides the environment, which overrides the file, which overrides the default")
    func order() throws {
        let file = try scratch.file(
            "config.json", #"{"http-port":1000,"admin-port":2000,"max-sockets":3000,"rate-limit":false}"#)
        let settings = try Settings.load(
            arguments: ["--http-port", "1", "--config-file=\(file)"],
            environment: ["BOOKSTRACK_HTTP_PORT": "10", "BOOKSTRACK_ADMIN_PORT": "20"])
        #expect(settings[.httpPort] == 1)
        #expect(settings[.adminPort] == 20)
        #expect(settings[.maxSockets] == 3000)
        #expect(settings[.maxSocketsPerJob] == 64)
        #expect(settings[.rateLimit] == false)
        let sources = settings.effective.reduce(into: [:]) { $0[$1.name] = $1.source }
        #expect(sources["BOOKSTRACK_HTTP_PORT"] == .commandLine)
        #expect(sources["BOOKSTRACK_ADMIN_PORT"] == .environment)
        #expect(sources["BOOKSTRACK_MAX_SOCKETS"] == .file(file))
        #expect(sources["BOOKSTRACK_MAX_SOCKETS_PER_JOB"] == .fallback)
    }

    @Test(
        "a list can be read from the environment and from the command line",
        arguments: [
            ("environment", [], ["BOOKSTRACK_CORS_ORIGINS": "https://a.example, https://b.example"]),
            ("command line", ["--cors-origins", "https://a.example,https://b.example"], [:]),
        ] as [(String, [String], [String: String])])
    func lists(layer: String, arguments: [String], environment: [String: String]) throws {
        let settings = try Settings.load(arguments: arguments, environment: environment)
        #expect(settings[.corsOrigins] == ["https://a.example", "https://b.example"])
    }

    @Test("the configuration file may contain lists, numbers and strings as JSON values")
    func fileValues() throws {
        let file = try scratch.file(
            "config.json",
            #"{"allowed-uids":"1,2","trusted-proxies":["10.0.0.0/8"],"wikidata-requests-per-second":2.5,"ready-timeout-ms":7}"#
        )
        let settings = try Settings.load(arguments: ["--config-file", file], environment: [:])
        #expect(settings[.allowedUserIDs] == [1, 2])
        #expect(settings[.trustedProxies] == [AddressBlock("10.0.0.0/8")])
        #expect(settings[.wikidataRate] == 2.5)
        #expect(settings[.readyTimeout] == .milliseconds(7))
    }

    @Test("a contact that contains a comma is kept whole on the command line")
    func commaInText() throws {
        let settings = try Settings.load(arguments: ["--open-library-contact", "Ann, ann@b.example"], environment: [:])
        #expect(settings[.openLibraryContact] == "Ann, ann@b.example")
    }

    @Test("one contact is used for all providers, and the variable's former name is an alias with lower priority")
    func contact() throws {
        let former = ["BOOKSTRACK_OPEN_LIBRARY_CONTACT": "old@b.example"]
        let both = former.merging(["BOOKSTRACK_CONTACT": "new@b.example"]) { $1 }
        #expect(try Settings.load(arguments: [], environment: [:]).providerContact == nil)
        #expect(try Settings.load(arguments: [], environment: former).providerContact == "old@b.example")
        #expect(try Settings.load(arguments: [], environment: both).providerContact == "new@b.example")
    }

    @Test(
        "Wikidata's default rate is 3 requests a second with a contact and 1 without, and an explicit rate overrides it"
    )
    func wikidataRate() throws {
        let contact = ["BOOKSTRACK_CONTACT": "ann@b.example"]
        let unlimited = ["BOOKSTRACK_WIKIDATA_REQUESTS_PER_SECOND": "0"]
        #expect(try Settings.load(arguments: [], environment: [:]).wikidataRequestsPerSecond == 1)
        #expect(try Settings.load(arguments: [], environment: contact).wikidataRequestsPerSecond == 3)
        #expect(try Settings.load(arguments: [], environment: unlimited).wikidataRequestsPerSecond == 0)
    }

    @Test("the common proxy variables are used unless BooksTrack's own are set, and the password is not shown")
    func proxy() throws {
        func settings(_ environment: [String: String]) throws -> Settings {
            try Settings.load(arguments: [], environment: environment)
        }
        let common = [
            "HTTPS_PROXY": "http://other.example:1", "https_proxy": "ann:pw@proxy.example:3128/", "NO_PROXY": ".lan",
        ]
        let inherited = try settings(common)
        #expect(inherited[.httpsProxy] == "http://ann:pw@proxy.example:3128")
        #expect(inherited[.noProxy] == ".lan")
        let shown = inherited.effective.first { $0.name == "BOOKSTRACK_HTTPS_PROXY" }
        #expect(shown?.value == "http://********@proxy.example:3128")
        #expect(shown?.source == .environment)
        let own = try settings(common.merging(["BOOKSTRACK_HTTPS_PROXY": "socks5h://p.example:1080"]) { $1 })
        #expect(own[.httpsProxy] == "socks5h://p.example:1080")
        #expect(try settings([:])[.httpsProxy] == nil)
        #expect(throws: SettingsError.self) { try settings(["BOOKSTRACK_HTTPS_PROXY": "ftp://p.example"]) }
    }

    @Test("a country code is accepted in lower case, and a country's name is rejected")
    func country() throws {
        func country(_ text: String) throws -> String {
            try Settings.load(arguments: ["--google-books-country", text], environment: [:])[.googleBooksCountry]
        }
        #expect(try country("de") == "DE")
        #expect(throws: SettingsError.self) { try country("Germany") }
    }

    @Test("an empty variable, such as compose files pass, counts as unset")
    func emptyVariable() throws {
        let settings = try Settings.load(arguments: [], environment: ["BOOKSTRACK_HTTP_PORT": ""])
        #expect(settings[.httpPort] == 8787)
    }

    @Test(
        "Open Library's default rate is 3 requests a second with a contact and 1 without, and an explicit rate overrides it"
    )
    func openLibraryRate() throws {
        let contact = ["BOOKSTRACK_OPEN_LIBRARY_CONTACT": "ann@b.example"]
        let unlimited = ["BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND": "0"]
        #expect(try Settings.load(arguments: [], environment: [:]).openLibraryRequestsPerSecond == 1)
        #expect(try Settings.load(arguments: [], environment: contact).openLibraryRequestsPerSecond == 3)
        #expect(try Settings.load(arguments: [], environment: unlimited).openLibraryRequestsPerSecond == 0)
    }

    @Test("misspelled variables and file keys are reported, but variables of BooksTrack's builds and tests are not")
    func misspellings() throws {
        let file = try scratch.file("config.json", #"{"http-prot":1}"#)
        let settings = try Settings.load(
            arguments: ["--config-file", file],
            environment: ["BOOKSTRACK_HTTP_PROT": "1", "BOOKSTRACK_TEST_DATA": "x", "PATH": "/bin"])
        #expect(
            settings.warnings == ["unknown variable BOOKSTRACK_HTTP_PROT", "unknown key \"http-prot\" in the file"])
    }
}
