import Foundation
import ServiceKit
import Testing

/// The formats of settings that are not numbers, and how `bookstrack config` shows them.
@Suite("Formats of settings")
struct SettingFormTests {
    private func shown(_ name: String, _ value: String) throws -> String? {
        try Settings.load(arguments: [], environment: ["BOOKSTRACK_\(name)": value])
            .effective.first { $0.name == "BOOKSTRACK_\(name)" }?.value
    }

    private func problem(_ name: String, _ value: String) -> String? {
        do {
            _ = try Settings.load(arguments: [], environment: ["BOOKSTRACK_\(name)": value])
            return nil
        } catch SettingsError.badValue(_, _, _, let problem) {
            return problem
        } catch {
            return error.description
        }
    }

    @Test(
        "on and off may be written in several ways, in upper or lower case",
        arguments: [
            ("on", "on"), ("ON", "on"), ("true", "on"), ("True", "on"), ("yes", "on"), ("1", "on"), ("off", "off"),
            ("Off", "off"), ("false", "off"), ("FALSE", "off"), ("no", "off"), ("0", "off"),
        ])
    func toggles(value: String, state: String) throws {
        for name in ["RATE_LIMIT", "TAKE_OVER", "LEGACY_TOKENLESS"] { #expect(try shown(name, value) == state) }
    }

    @Test(
        "a value that means neither on nor off is rejected",
        arguments: ["enabled", "y", "2", "-1", "o", "on,off", "null"])
    func wrongToggles(value: String) {
        #expect(problem("RATE_LIMIT", value) == "must be on or off")
    }

    @Test(
        "a log level may be written in upper or lower case",
        arguments: ["trace", "debug", "info", "notice", "warning", "error", "critical", "WARNING", "Debug"])
    func levels(value: String) throws {
        #expect(try shown("LOG_LEVEL", value) == value.lowercased())
    }

    @Test("an unknown log level is rejected with the list of levels", arguments: ["warn", "verbose", "0", "fatal"])
    func wrongLevels(value: String) {
        #expect(
            problem("LOG_LEVEL", value)
                == "must be one of trace, debug, info, notice, warning, error, critical")
    }

    @Test("a log format is one of four words", arguments: ["auto", "pretty", "json", "journal", "JSON"])
    func formats(value: String) throws {
        #expect(try shown("LOG_FORMAT", value) == value.lowercased())
    }

    @Test(
        "engines keep the order in which they are listed",
        arguments: [
            ("gemini", "gemini"), ("reader,gemini", "reader,gemini"), ("Reader, OpenAI", "reader,openai"),
            ("openai,,reader,", "openai,reader"),
        ])
    func engines(value: String, order: String) throws {
        #expect(try shown("SCAN_ENGINES", value) == order)
    }

    @Test(
        "an engine that does not exist or is listed twice is rejected", arguments: ["claude", "gemini,gemini", "all"])
    func wrongEngines(value: String) {
        #expect(
            problem("SCAN_ENGINES", value)
                == "must list each engine at most once; the engines are gemini, openai, reader")
    }

    @Test(
        "a trailing slash is removed from an API base URL",
        arguments: [
            ("https://openlibrary.example", "https://openlibrary.example"),
            ("https://openlibrary.example/", "https://openlibrary.example"),
            ("http://127.0.0.1:4010/v1", "http://127.0.0.1:4010/v1"), ("http://[::1]:4010", "http://[::1]:4010"),
            ("https://a.example/books/v1/", "https://a.example/books/v1"),
        ])
    func addresses(value: String, address: String) throws {
        for name in [
            "OPEN_LIBRARY_BASE_URL", "GOOGLE_BOOKS_BASE_URL", "ISBNDB_BASE_URL", "WIKIDATA_BASE_URL", "COVERS_BASE_URL",
            "GEMINI_BASE_URL", "VISION_BASE_URL", "URL",
        ] {
            #expect(try shown(name, value) == address, "\(name)")
        }
    }

    @Test(
        "trailing slashes are removed from each public URL",
        arguments: [
            ("https://books.example", "https://books.example"), ("https://books.example/", "https://books.example"),
            ("https://a.example/ , http://b.example/books/", "https://a.example,http://b.example/books"),
        ])
    func publicURLs(value: String, addresses: String) throws {
        #expect(try shown("PUBLIC_URL", value) == addresses)
    }

    @Test(
        "a base URL must use http or https and have a host, and must not have a user, a query or a fragment",
        arguments: [
            "openlibrary.org", "ftp://a.example", "file:///etc", "https://", "https:///x", "https://a.example?x=1",
            "https://a.example/#x", "https://me@a.example", "https://me:pass@a.example", "//a.example",
            "http:a.example",
        ])
    func wrongAddresses(value: String) {
        #expect(
            problem("OPEN_LIBRARY_BASE_URL", value)
                == "must be an http or https address without a query, fragment, user or password")
    }

    @Test(
        "a proxy URL has one of curl's proxy schemes, http by default, and is shown without its user and password",
        arguments: [
            ("proxy.example:3128", "http://proxy.example:3128"),
            ("http://proxy.example:3128/", "http://proxy.example:3128"),
            ("https://proxy.example", "https://proxy.example"), ("socks5h://10.0.0.1:1080", "socks5h://10.0.0.1:1080"),
            ("socks4a://p.example", "socks4a://p.example"),
            ("http://ann:pw@p.example:1", "http://********@p.example:1"),
            ("http://ann@p.example", "http://********@p.example"),
        ])
    func proxies(value: String, address: String) throws {
        #expect(try shown("HTTPS_PROXY", value) == address)
    }

    @Test(
        "text that is not a proxy URL is rejected",
        arguments: [
            "gopher://p.example", "http://", "http://p.example/path", "http://p.example?x", "http://p.example#x",
        ])
    func wrongProxies(value: String) {
        #expect(problem("HTTPS_PROXY", value) == "must be a proxy address such as http://proxy.example:3128")
    }

    @Test("a country is specified by two letters", arguments: [("us", "US"), ("DE", "DE"), ("Gb", "GB")])
    func countries(value: String, code: String) throws {
        #expect(try shown("GOOGLE_BOOKS_COUNTRY", value) == code)
    }

    @Test("an invalid country is rejected", arguments: ["USA", "U", "1A", "ÄÖ", "U S"])
    func wrongCountries(value: String) {
        #expect(problem("GOOGLE_BOOKS_COUNTRY", value) == "must be a two-letter country code such as US")
    }

    @Test("a valid calendar date is accepted", arguments: ["2027-05-21", "2028-02-29", "1999-12-31"])
    func days(value: String) throws {
        #expect(try shown("SUNSET", value) == value)
    }

    @Test(
        "an invalid date is rejected",
        arguments: ["2027-02-29", "2027-13-01", "21.05.2027", "2027-5-21", "2027-05-21T00:00:00Z", "soon", "20270521"])
    func wrongDays(value: String) {
        #expect(problem("SUNSET", value) == "must be a date such as 2027-05-21")
    }

    @Test(
        "users are specified by number",
        arguments: [("0", "0"), ("1000, 1001", "1000,1001"), ("4294967295", "4294967295"), ("7,,8", "7,8")])
    func users(value: String, ids: String) throws {
        #expect(try shown("ALLOWED_UIDS", value) == ids)
    }

    @Test(
        "a value that is not a list of numeric user IDs is rejected",
        arguments: ["root", "1000;1001", "-1", "4294967296", "1000 1001"])
    func wrongUsers(value: String) {
        #expect(problem("ALLOWED_UIDS", value) == "must be numeric user IDs")
    }

    @Test(
        "trusted proxies are specified as addresses or address blocks",
        arguments: [
            ("10.0.0.0/8", "10.0.0.0/8"), ("127.0.0.1, ::1", "127.0.0.1,::1"), ("192.168.1.7/32", "192.168.1.7"),
            ("fd00::/8", "fd00::/8"), ("::ffff:10.0.0.1", "10.0.0.1"), ("0.0.0.0/0", "0.0.0.0/0"),
        ])
    func blocks(value: String, shownBlocks: String) throws {
        #expect(try shown("TRUSTED_PROXIES", value) == shownBlocks)
    }

    @Test(
        "text that is not an address block is rejected",
        arguments: [
            "proxy.example", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0-10.0.0.9",
        ])
    func wrongBlocks(value: String) {
        #expect(problem("TRUSTED_PROXIES", value) == "must be addresses or CIDR blocks such as 10.0.0.0/8")
    }

    @Test(
        "the admin listener's hosts are specified without a port",
        arguments: ["admin.example, 10.0.0.7", "[::1]", "api-proxy"])
    func hosts(value: String) {
        #expect(problem("ADMIN_HOSTS", value) == nil)
    }

    @Test(
        "a host with a port or a path is rejected",
        arguments: ["admin.example:80", "http://admin.example", "a/b", "a b"])
    func wrongHosts(value: String) {
        #expect(problem("ADMIN_HOSTS", value) == "must be host names or addresses without a port")
    }

    @Test("a list with only separators is empty")
    func emptyList() throws {
        #expect(try shown("ADMIN_HOSTS", ", ,") == "")
        #expect(try shown("ALLOWED_UIDS", ",") == "")
    }
}
