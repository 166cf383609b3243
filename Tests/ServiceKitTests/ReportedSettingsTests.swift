import ServiceKit
import SuiteMethods
import Testing

/// Settings as a running service reports them to `bookstrack config`.
@Suite("Reported settings")
struct ReportedSettingsTests {
    private func report(_ environment: [String: String]) throws -> [String: ReadSettings.Setting] {
        let settings = try Settings.load(arguments: ["--max-sockets", "7"], environment: environment)
        return Dictionary(uniqueKeysWithValues: settings.reported.map { ($0.name, $0) })
    }

    @Test("each setting is reported with its value and source")
    func sources() throws {
        let report = try report(["BOOKSTRACK_HTTP_PORT": "9000"])
        #expect(
            report["BOOKSTRACK_HTTP_PORT"]
                == ReadSettings.Setting(
                    name: "BOOKSTRACK_HTTP_PORT", value: "9000", source: "environment", isDefault: false))
        #expect(
            report["BOOKSTRACK_MAX_SOCKETS"]
                == ReadSettings.Setting(
                    name: "BOOKSTRACK_MAX_SOCKETS", value: "7", source: "command line", isDefault: false))
        #expect(
            report["BOOKSTRACK_ADMIN_PORT"]
                == ReadSettings.Setting(
                    name: "BOOKSTRACK_ADMIN_PORT", value: "9787", source: "default", isDefault: true))
    }

    @Test("for a secret, only whether it is set is reported")
    func secrets() throws {
        let report = try report(["BOOKSTRACK_ISBNDB_API_KEY": "s3cret"])
        #expect(report["BOOKSTRACK_ISBNDB_API_KEY"]?.value == "set")
        #expect(report["BOOKSTRACK_GOOGLE_BOOKS_API_KEY"]?.value == "not set")
        #expect(!"\(report)".contains("s3cret"))
    }

    @Test("a proxy's password is not reported")
    func proxy() throws {
        let report = try report(["HTTPS_PROXY": "http://ann:hunter2@proxy.example:3128"])
        #expect(report["BOOKSTRACK_HTTPS_PROXY"]?.value == "http://********@proxy.example:3128")
        #expect(report["BOOKSTRACK_HTTPS_PROXY"]?.isDefault == false)
    }

    @Test("defaults derived from other settings are reported as effective values")
    func computed() throws {
        let bare = try report([:])
        #expect(bare["BOOKSTRACK_MAX_CONNECTIONS"]?.value == "1007")
        #expect(bare["BOOKSTRACK_MAX_CONNECTIONS_PER_ADDRESS"]?.value == "1000")
        #expect(bare["BOOKSTRACK_WIKIDATA_REQUESTS_PER_SECOND"]?.value == "1")
        #expect(bare["BOOKSTRACK_SHELF_READER_SOCKET"]?.value.hasSuffix("/shelf-reader.sock") == true)
        let withContact = try report([
            "BOOKSTRACK_OPEN_LIBRARY_CONTACT": "ann@example.org", "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "3",
        ])
        #expect(withContact["BOOKSTRACK_WIKIDATA_REQUESTS_PER_SECOND"]?.value == "3")
        #expect(withContact["BOOKSTRACK_CONTACT"]?.value == "ann@example.org")
        #expect(withContact["BOOKSTRACK_MAX_CONNECTIONS_PER_ADDRESS"]?.value == "3")
    }

    @Test("reported settings keep the service's sources when they are read back")
    func readBack() throws {
        let settings = try Settings.load(
            arguments: ["--http-port", "9000"], environment: ["BOOKSTRACK_ADMIN_HOSTS": "a.example,b.example"])
        let read = Settings(reported: settings.reported)
        #expect(read[.httpPort] == 9_000)
        #expect(read[.adminHosts] == ["a.example", "b.example"])
        #expect(read[.adminPort] == 9_787)
        let sources = Dictionary(uniqueKeysWithValues: read.effective.map { ($0.name, $0.source) })
        #expect(sources["BOOKSTRACK_HTTP_PORT"] == .reported("command line"))
        #expect(sources["BOOKSTRACK_ADMIN_HOSTS"] == .reported("environment"))
        #expect(sources["BOOKSTRACK_ADMIN_PORT"] == .fallback)
    }

    @Test("reported settings that this version does not know, or whose values it rejects, are ignored")
    func otherVersion() {
        let read = Settings(reported: [
            .init(name: "BOOKSTRACK_TELEPORT", value: "on", source: "environment", isDefault: false),
            .init(name: "BOOKSTRACK_HTTP_PORT", value: "ninety", source: "environment", isDefault: false),
            .init(name: "BOOKSTRACK_ADMIN_PORT", value: "1", source: "environment", isDefault: false),
        ])
        #expect(!read.effective.contains { $0.name == "BOOKSTRACK_TELEPORT" })
        #expect(read[.httpPort] == 8_787)
        #expect(read[.adminPort] == 1)
    }

    @Test(
        "each setting is read by the documented services",
        arguments: [
            ("BOOKSTRACK_LOG_LEVEL", [ServiceName.apiProxy, .progressHost, .enrichmentWorker]),
            ("BOOKSTRACK_HTTP_PORT", [.apiProxy]), ("BOOKSTRACK_RATE_LIMIT", [.apiProxy]),
            ("BOOKSTRACK_LEGACY_TOKENLESS", [.progressHost]), ("BOOKSTRACK_TOKEN_TTL_SECONDS", [.progressHost]),
            ("BOOKSTRACK_MAX_BATCH_BOOKS", [.apiProxy, .enrichmentWorker]),
            ("BOOKSTRACK_MAX_IMPORT_BYTES", [.apiProxy]), ("BOOKSTRACK_MAX_IMPORT_ROWS", [.enrichmentWorker]),
            ("BOOKSTRACK_MAX_UPLOAD_BYTES_TOTAL", [.apiProxy, .progressHost]),
            ("BOOKSTRACK_WEBHOOK_HOSTS", [.apiProxy, .enrichmentWorker]),
            ("BOOKSTRACK_WEBHOOK_SECRET", [.enrichmentWorker]), ("BOOKSTRACK_WORKER_NAME", [.enrichmentWorker]),
            ("BOOKSTRACK_CACHE_MAX_BYTES", [.enrichmentWorker]), ("BOOKSTRACK_URL", []),
        ])
    func readers(name: String, services: [ServiceName]) {
        #expect(Settings.declared.first { $0.name == name }?.readers == services)
    }
}
