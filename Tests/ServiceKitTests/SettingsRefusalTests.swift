import ServiceKit
import Testing

@Suite("Invalid settings and options")
struct SettingsRefusalTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func refusal(arguments: [String] = [], _ environment: [String: String] = [:]) -> String? {
        do {
            _ = try Settings.load(arguments: arguments, environment: environment)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "an invalid value is reported with the rule that it violates",
        arguments: [
            (
                "BOOKSTRACK_HTTP_PORT", "99999",
                "BOOKSTRACK_HTTP_PORT must be a whole number from 0 to 65535, not \"99999\" (from environment)"
            ),
            (
                "BOOKSTRACK_MAX_BATCH_BOOKS", "many",
                "BOOKSTRACK_MAX_BATCH_BOOKS must be a whole number from 1 to 10000, not \"many\" (from environment)"
            ),
            (
                "BOOKSTRACK_WIKIDATA_REQUESTS_PER_SECOND", "-1",
                "BOOKSTRACK_WIKIDATA_REQUESTS_PER_SECOND must be a number from 0 (no limit) to 100000, not \"-1\" (from environment)"
            ),
            (
                "BOOKSTRACK_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/33",
                "BOOKSTRACK_TRUSTED_PROXIES must be addresses or CIDR blocks such as 10.0.0.0/8, not \"127.0.0.1, 10.0.0.0/33\" (from environment)"
            ),
            (
                "BOOKSTRACK_SUNSET", "2027-02-30",
                "BOOKSTRACK_SUNSET must be a date such as 2027-05-21, not \"2027-02-30\" (from environment)"
            ),
            (
                "BOOKSTRACK_RATE_LIMIT", "maybe",
                "BOOKSTRACK_RATE_LIMIT must be on or off, not \"maybe\" (from environment)"
            ),
            (
                "BOOKSTRACK_ADMIN_HOSTS", "api-proxy:9787",
                "BOOKSTRACK_ADMIN_HOSTS must be host names or addresses without a port, not \"api-proxy:9787\" (from environment)"
            ),
            (
                "BOOKSTRACK_PUBLIC_URL", "books.example.org",
                "BOOKSTRACK_PUBLIC_URL must be http or https addresses without a query, fragment, user or password, not \"books.example.org\" (from environment)"
            ),
            (
                "BOOKSTRACK_LOG_FORMAT", "xml",
                "BOOKSTRACK_LOG_FORMAT must be one of auto, pretty, json, journal, not \"xml\" (from environment)"
            ),
            (
                "BOOKSTRACK_OPEN_LIBRARY_BASE_URL", "openlibrary.org",
                "BOOKSTRACK_OPEN_LIBRARY_BASE_URL must be an http or https address without a query, fragment, user or password, not \"openlibrary.org\" (from environment)"
            ),
        ])
    func badValue(name: String, value: String, line: String) {
        #expect(refusal([name: value]) == line)
    }

    @Test(
        "a value that is not a list of web origins is rejected",
        arguments: [
            "books.example.org", "https://books.example.org/", "https://books.example.org/app", "*", "null", "https://",
            "https://*.example.org", "http://localhost:", "http://localhost:99999", "https://a b",
            "https://fine.example, bad.example",
        ])
    func origins(value: String) {
        #expect(
            refusal(["BOOKSTRACK_CORS_ORIGINS": value])
                == "BOOKSTRACK_CORS_ORIGINS must be origins such as https://books.example.org or http://localhost:*, not \"\(value)\" (from environment)"
        )
    }

    @Test(
        "an origin may have any scheme, an address as its host, and a specific port or any port",
        arguments: [
            "https://books.example.org", "HTTP://LOCALHOST:*", "http://[::1]:3000", "http://[::1]",
            "http://192.0.2.1:80",
            "capacitor://localhost", "chrome-extension://abcdef",
        ])
    func fineOrigins(value: String) { #expect(refusal(["BOOKSTRACK_CORS_ORIGINS": value]) == nil) }

    @Test(
        "a base URL with a user name is rejected, and its password is not repeated",
        arguments: ["http://ann:hunter2@h.example", "https://hunter2@h.example/v1", "ftp://ann:hunter2@h.example"])
    func userInAddress(address: String) {
        for name in ["BOOKSTRACK_ISBNDB_BASE_URL", "BOOKSTRACK_COVERS_BASE_URL", "BOOKSTRACK_URL"] {
            #expect(
                refusal([name: address])
                    == "\(name) must be an http or https address without a query, fragment, user or password, not \"********\" (from environment)"
            )
        }
    }

    @Test(
        "text with a line ending or another control character is rejected with a one-line error",
        arguments: [
            ("BOOKSTRACK_OPEN_LIBRARY_CONTACT", "ann@b.example\r\nX-Evil: 1", #"ann@b.example\r\nX-Evil: 1"#),
            ("BOOKSTRACK_OPEN_LIBRARY_CONTACT", "ann\u{202E}", #"ann\u{202E}"#),
            ("BOOKSTRACK_HTTP_HOST", "a\n", #"a\n"#), ("BOOKSTRACK_CORS_ORIGINS", "a\0", #"a\0"#),
            ("BOOKSTRACK_WIKIDATA_BASE_URL", "https://a\n.example", #"https://a\n.example"#),
            ("BOOKSTRACK_ISBNDB_API_KEY", "s3cret\nX-Evil: 1", "********"),
        ])
    func controls(name: String, value: String, shown: String) {
        #expect(
            refusal([name: value])
                == "\(name) must be one line without control characters, not \"\(shown)\" (from environment)")
    }

    @Test("an invalid value of an option is reported under the option's name, not the variable's")
    func badOption() {
        #expect(
            refusal(arguments: ["--url", "foo"])
                == "--url must be an http or https address without a query, fragment, user or password, not \"foo\"")
        #expect(
            refusal(arguments: ["--http-port", "x"], ["BOOKSTRACK_HTTP_PORT": "1"])
                == "--http-port must be a whole number from 0 to 65535, not \"x\"")
    }

    @Test("NaN is not accepted as a rate")
    func notANumber() {
        #expect(refusal(["BOOKSTRACK_ISBNDB_REQUESTS_PER_SECOND": "nan"]) != nil)
    }

    @Test("an unknown option and an unexpected argument are rejected")
    func unknownOption() {
        #expect(refusal(arguments: ["--http-prot", "1"]) == "unknown option --http-prot; --help lists all options")
        #expect(refusal(arguments: ["start"]) == "unexpected argument \"start\"; --help lists all options")
        #expect(
            refusal(arguments: ["--http-port", "1", "2"]) == "unexpected argument \"2\"; --help lists all options")
    }

    @Test(
        "an option without a value is named in the error, wherever it is",
        arguments: [
            ["--log-level"], ["--log-level", "--http-port", "1"], ["--http-port", "1", "--log-level"], ["--log-level="],
            ["--log-level", ""],
        ])
    func missingValue(arguments: [String]) {
        #expect(throws: SettingsError.missingValue("--log-level")) {
            try Settings.load(arguments: arguments, environment: [:])
        }
        #expect(SettingsError.missingValue("--log-level").exitCode == .usage)
        #expect(refusal(arguments: arguments) == "option --log-level needs a value; --help lists all options")
    }

    @Test("an option's value may start with a dash or contain an equals sign")
    func oddValues() throws {
        let settings = try Settings.load(
            arguments: ["--http-host=--x=", "--open-library-contact", "-a=b"], environment: [:])
        #expect(settings[.httpHost] == "--x=")
        #expect(settings[.openLibraryContact] == "-a=b")
    }

    @Test("a refresh window longer than the token's lifetime is rejected as a contradiction")
    func contradiction() {
        #expect(refusal(["BOOKSTRACK_TOKEN_TTL_SECONDS": "60"])?.contains("must not exceed") == true)
        #expect(
            refusal(["BOOKSTRACK_TOKEN_TTL_SECONDS": "60", "BOOKSTRACK_TOKEN_REFRESH_WINDOW_SECONDS": "60"]) == nil)
    }

    @Test("an explicitly specified configuration file must exist")
    func missingFile() {
        #expect(refusal(arguments: ["--config-file", "/nowhere.json"]) == "cannot read /nowhere.json: no such file")
    }

    @Test("a malformed configuration file is rejected", arguments: ["{", "[]", "7", ""])
    func malformedFile(text: String) throws {
        let file = try scratch.file("config.json", text)
        #expect(refusal(arguments: ["--config-file", file])?.contains("is not a usable configuration file") == true)
    }

    @Test("a value of the wrong JSON type is rejected")
    func wrongJSONType() throws {
        let file = try scratch.file("config.json", #"{"http-port":{"a":1}}"#)
        #expect(refusal(arguments: ["--config-file", file]) != nil)
        let text = try scratch.file("text.json", #"{"http-port":"x"}"#)
        #expect(refusal(arguments: ["--config-file", text])?.contains("whole number") == true)
        let list = try scratch.file("list.json", #"{"http-port":[1,2]}"#)
        #expect(refusal(arguments: ["--config-file", list]) != nil)
    }
}
