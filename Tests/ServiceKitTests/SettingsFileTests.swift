import ServiceKit
import Testing

/// The JSON configuration file: the JSON types that each setting accepts, and the error for any other type. Also the
/// exit statuses and descriptions of all settings errors.
@Suite("The configuration file and settings errors")
struct SettingsFileTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func load(_ json: String) throws -> (settings: Settings, path: String) {
        let path = try scratch.file("config.json", json)
        return (try Settings.load(arguments: ["--config-file", path], environment: [:]), path)
    }

    private func refusal(_ json: String) throws -> String? {
        let path = try scratch.file("config.json", json)
        do {
            _ = try Settings.load(arguments: ["--config-file", path], environment: [:])
            return nil
        } catch {
            return error.description.replacing(path, with: "FILE")
        }
    }

    @Test(
        "a value may have the setting's JSON type or be a string, and an integer may stand for a Boolean value",
        arguments: [
            (#"{"http-port":9000}"#, "BOOKSTRACK_HTTP_PORT", "9000"),
            (#"{"http-port":"9000"}"#, "BOOKSTRACK_HTTP_PORT", "9000"),
            (#"{"rate-limit":false}"#, "BOOKSTRACK_RATE_LIMIT", "off"),
            (#"{"rate-limit":true}"#, "BOOKSTRACK_RATE_LIMIT", "on"),
            (#"{"rate-limit":0}"#, "BOOKSTRACK_RATE_LIMIT", "off"),
            (#"{"rate-limit":"off"}"#, "BOOKSTRACK_RATE_LIMIT", "off"),
            (#"{"isbndb-requests-per-second":2}"#, "BOOKSTRACK_ISBNDB_REQUESTS_PER_SECOND", "2"),
            (#"{"isbndb-requests-per-second":0.5}"#, "BOOKSTRACK_ISBNDB_REQUESTS_PER_SECOND", "0.5"),
            (#"{"isbndb-requests-per-second":"0.5"}"#, "BOOKSTRACK_ISBNDB_REQUESTS_PER_SECOND", "0.5"),
            (#"{"admin-hosts":["a.example","b.example"]}"#, "BOOKSTRACK_ADMIN_HOSTS", "a.example,b.example"),
            (#"{"admin-hosts":"a.example, b.example"}"#, "BOOKSTRACK_ADMIN_HOSTS", "a.example,b.example"),
            (#"{"admin-hosts":[]}"#, "BOOKSTRACK_ADMIN_HOSTS", ""),
            (#"{"scan-engines":["reader"]}"#, "BOOKSTRACK_SCAN_ENGINES", "reader"),
            (#"{"contact":"ann@example.org"}"#, "BOOKSTRACK_CONTACT", "ann@example.org"),
            (#"{"contact":""}"#, "BOOKSTRACK_CONTACT", ""),
            (#"{"log-level":"Debug"}"#, "BOOKSTRACK_LOG_LEVEL", "debug"),
            (#"{"isbndb-api-key":"s3cret"}"#, "BOOKSTRACK_ISBNDB_API_KEY", "********"),
        ])
    func kinds(json: String, name: String, shown: String) throws {
        let (settings, _) = try load(json)
        #expect(settings.effective.first { $0.name == name }?.value == shown)
    }

    @Test(
        "a value of any other JSON type is rejected, and the error names its key",
        arguments: [
            (#"{"http-port":true}"#, "http-port"), (#"{"http-port":[1]}"#, "http-port"),
            (#"{"http-port":9000.5}"#, "http-port"), (#"{"http-port":null}"#, "http-port"),
            (#"{"rate-limit":"on","contact":5}"#, "contact"), (#"{"contact":["a"]}"#, "contact"),
            (#"{"admin-hosts":5}"#, "admin-hosts"), (#"{"admin-hosts":[5]}"#, "admin-hosts"),
            (#"{"admin-hosts":true}"#, "admin-hosts"), (#"{"rate-limit":[]}"#, "rate-limit"),
        ])
    func wrongKinds(json: String, key: String) throws {
        #expect(
            try refusal(json)
                == "FILE is not a usable configuration file: \"\(key)\" has a value of the wrong type")
    }

    @Test("an object is rejected as a value, because the configuration file has no sections")
    func sections() throws {
        #expect(
            try refusal(#"{"http-port":{"port":9000}}"#)
                == "FILE is not a usable configuration file: \"http-port\" is an object")
    }

    @Test(
        "a configuration file that is not a JSON object is rejected",
        arguments: [
            ("", "it is not valid JSON"), ("{", "it is not valid JSON"), ("{'a':1}", "it is not valid JSON"),
            ("http-port = 9000", "it is not valid JSON"), ("[]", "it must be one JSON object"),
            ("5", "it must be one JSON object"), (#""text""#, "it must be one JSON object"),
        ])
    func noObject(json: String, reason: String) throws {
        #expect(try refusal(json) == "FILE is not a usable configuration file: \(reason)")
    }

    @Test("a value outside its range is reported with the file as its source")
    func badValue() throws {
        #expect(
            try refusal(#"{"http-port":99999}"#)
                == "BOOKSTRACK_HTTP_PORT must be a whole number from 0 to 65535, not \"99999\" (from FILE)")
    }

    @Test("unknown keys are reported in alphabetical order and do not prevent the start")
    func unknownKeys() throws {
        let (settings, _) = try load(#"{"z-key":1,"http-port":9000,"BOOKSTRACK_URL":"x","a-key":{}}"#)
        #expect(settings[.httpPort] == 9_000)
        #expect(
            settings.warnings == [
                "unknown key \"BOOKSTRACK_URL\" in the file", "unknown key \"a-key\" in the file",
                "unknown key \"z-key\" in the file",
            ])
    }

    @Test("the configuration file can name a file that contains a secret")
    func secretFile() throws {
        let key = try scratch.file("key", "s3cret\n")
        let (settings, _) = try load(#"{"isbndb-api-key-file":"\#(key)"}"#)
        #expect(settings[.isbndbKey]?.exposed == "s3cret")
    }

    @Test("an explicitly specified configuration file is rejected if it is missing or a directory")
    func missing() {
        for path in ["/nowhere/config.json", scratch.path] {
            #expect(throws: SettingsError.self, "\(path)") {
                try Settings.load(arguments: ["--config-file", path], environment: [:])
            }
        }
        #expect(throws: SettingsError.unreadableFile(path: "/nowhere/config.json", reason: "no such file")) {
            try Settings.load(arguments: [], environment: ["BOOKSTRACK_CONFIG_FILE": "/nowhere/config.json"])
        }
    }

    @Test(
        "each settings error has the exit status for its kind",
        arguments: [
            (SettingsError.unknownOption("--x"), ExitCode.usage), (.missingValue("--x"), .usage),
            (.unexpectedArgument("x"), .usage),
            (.badValue(name: "BOOKSTRACK_URL", shown: "x", source: .environment, problem: "p"), .configuration),
            (.contradiction("c"), .configuration), (.unreadableFile(path: "p", reason: "r"), .configuration),
            (.malformedFile(path: "p", reason: "r"), .configuration), (.secretGivenTwice(name: "n"), .configuration),
            (.unusableDirectory(path: "p", reason: "r"), .configuration),
            (.unusableAddress(address: "a", reason: "r"), .configuration),
            (.unusableSocket(name: "n", reason: "r"), .configuration),
        ])
    func exitCodes(error: SettingsError, code: ExitCode) {
        #expect(error.exitCode == code)
    }

    @Test("exit statuses match sysexits.h where it defines one")
    func statuses() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 75, 78])
    }

    @Test(
        "a settings error is described in one sentence",
        arguments: [
            (
                SettingsError.secretGivenTwice(name: "BOOKSTRACK_ISBNDB_API_KEY"),
                "BOOKSTRACK_ISBNDB_API_KEY and BOOKSTRACK_ISBNDB_API_KEY_FILE are both set; set only one"
            ),
            (
                .unusableDirectory(path: "/x", reason: "it is not writable"),
                "cannot use the directory /x: it is not writable"
            ),
            (
                .unusableAddress(address: "0.0.0.0:80", reason: "permission denied"),
                "cannot listen on 0.0.0.0:80: permission denied"
            ),
            (.unreadableFile(path: "/x", reason: "permission denied"), "cannot read /x: permission denied"),
        ])
    func sentences(error: SettingsError, text: String) {
        #expect("\(error)" == text)
    }
}
