import ProgressClient
import SuiteFixture
import Testing

@Suite("The API's description, seen by a tool that is not ours", .serialized)
struct DescriptionTests {
    @Test(
        "whatever schemathesis sends, the answer is one that /openapi.json describes, and never a 5xx",
        .enabled(if: Python.canImport("schemathesis.cli"), "Python's schemathesis is not installed"))
    func schemathesis() async throws {
        let options = SuiteFixture.Suite.Options(settings: ["BOOKSTRACK_LOG_LEVEL": "warning"])
        try await SuiteFixture.Suite.run(options) { suite in
            let checks = [
                "not_a_server_error", "status_code_conformance", "content_type_conformance",
                "response_schema_conformance",
            ]
            // A socket is no request, and each example that fails is printed.
            _ = try await Python.run([
                "-m", "schemathesis.cli", "run", "http://127.0.0.1:\(suite.address.port)/openapi.json", "--checks",
                checks.joined(separator: ","), "--max-examples", "10", "--exclude-path", "/ws/progress",
                "--request-timeout", "20", "--no-color",
            ])
        }
    }
}
