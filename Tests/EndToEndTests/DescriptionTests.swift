import Foundation
import SuiteFixture
import Testing
import WireClient

@Suite("The API descriptions, checked by third-party tools", .serialized)
struct DescriptionTests {
    @Test(
        "the API descriptions are valid documents, and a client generated from them calls every operation",
        .enabled(if: Python.has("openapi_python_client"), "Python's openapi-python-client is not installed"),
        .enabled(if: Python.has("openapi_spec_validator"), "Python's openapi-spec-validator is not installed"))
    func generatedClient() async throws {
        // With these settings, a token can be refreshed immediately, and photos are accepted.
        let options = SuiteFixture.Suite.Options(settings: [
            "BOOKSTRACK_TOKEN_REFRESH_WINDOW_SECONDS": "7200", "BOOKSTRACK_GEMINI_API_KEY": "a-key",
        ])
        try await SuiteFixture.Suite.run(options) { suite in
            let client = suite.directory.appending(path: "client").path
            let checks = try await Python.checks("generated.py", ["127.0.0.1:\(suite.address.port)", client])
            #expect(checks.contains { $0.check == "every operation is called" }, "the checks ended early")
            for check in checks { #expect(check.ok, "\(check.check): got \(check.saw)") }
        }
    }

    /// The path of Chromium or Chrome, as installed by a distribution; nil if there is none.
    private static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(
        "in a browser, the /docs page leads from starting a job to its results, searches operations, and supports the keyboard",
        .enabled(if: browser != nil, "Chromium is not installed"),
        .enabled(if: Python.has("websockets.sync.client"), "Python's websockets is not installed"))
    func page() async throws {
        let browser = try #require(Self.browser)
        try await SuiteFixture.Suite.run { suite in
            let profile = suite.directory.appending(path: "browser").path
            let checks = try await Python.checks("docs.py", [browser, "127.0.0.1:\(suite.address.port)", profile])
            #expect(checks.count == 25, "the checks ended early")
            for check in checks { #expect(check.ok, "\(check.check): got \(check.saw)") }
        }
    }

    @Test(
        "every response to schemathesis matches /openapi.json, and none is a 5xx",
        .enabled(if: Python.canImport("schemathesis.cli"), "Python's schemathesis is not installed"))
    func schemathesis() async throws {
        // With an engine, photos are accepted.
        let options = SuiteFixture.Suite.Options(settings: [
            "BOOKSTRACK_LOG_LEVEL": "warning", "BOOKSTRACK_GEMINI_API_KEY": "a-key",
        ])
        try await SuiteFixture.Suite.run(options) { suite in
            let checks = [
                "not_a_server_error", "status_code_conformance", "content_type_conformance",
                "response_schema_conformance",
            ]
            // `/ws/progress` is excluded, and so are streams: they stay open as long as their jobs run, and
            // schemathesis interprets their events as objects, although the description can only declare them as text.
            // Each failing example is printed.
            _ = try await Python.run([
                "-m", "schemathesis.cli", "run", "http://127.0.0.1:\(suite.address.port)/openapi.json", "--checks",
                checks.joined(separator: ","), "--max-examples", "10", "--exclude-path", "/ws/progress",
                "--exclude-path-regex", "(/stream|/events)$",
                "--request-timeout", "20", "--no-color",
            ])
        }
    }
}
