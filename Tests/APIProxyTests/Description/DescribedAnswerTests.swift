import BookstrackContract
import Foundation
import JSONRPC
import NIOConcurrencyHelpers
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Requests and responses match their descriptions") struct DescribedAnswerTests {
    private static let batch = #"{"isbns":["9780441172719"]}"#
    private static let listedOrigin = "Origin: https://bookstrack.app"

    /// Fields that scripts may always read (Fetch standard, "CORS-safelisted response-header name").
    private static let readableFields: Set = ["cache-control", "content-length", "content-type"]
    /// Fields for the browser itself.
    private static let browserFields: Set = [
        "access-control-allow-origin", "access-control-expose-headers", "connection", "content-security-policy", "date",
        "referrer-policy", "transfer-encoding", "vary", "x-content-type-options",
    ]

    /// The fields of a response that a script should be able to read but cannot.
    private static func hiddenFields(of answer: HTTPAnswer) -> Set<String> {
        let exposed = answer["access-control-expose-headers"]?.lowercased().components(separatedBy: ", ") ?? []
        return Set(answer.fields.map(\.name)).subtracting(exposed).subtracting(readableFields)
            .subtracting(browserFields)
    }

    @Test("successful responses match their operations' descriptions")
    func successes() async throws {
        let pages: [(ImportPart, [String])] = [
            (.books, [try ImportRows.book(1)]), (.errors, [try ImportRows.error(2, [.init(column: "a", text: "b")])]),
            (.skipped, [try ImportRows.skipped(3)]),
        ]
        try await RunningProxy.run(script: .init(importPages: pages)) { proxy in
            let token = ["Authorization: Bearer tok-1"]
            let calls: [(String, String, String, [String], String?)] = [
                ("startBatch", "POST", "/v1/enrichment/batch", [], Self.batch),
                ("startBatchLegacy", "POST", "/api/enrichment/start", [], Self.batch),
                ("readResults", "GET", "/v1/enrichment/results/job-12345", [], nil),
                ("startImport", "POST", "/v1/csv/import?enrich=true", [], "Title\nDune\n"),
                ("readImportResults", "GET", "/v1/csv/results/job-12345", [], nil),
                ("readImportResultsOfApps", "GET", "/api/v2/imports/job-12345/results", [], nil),
                ("readImportStatus", "GET", "/v1/csv/status/job-12345", token, nil),
                ("readImportStatusOfApps", "GET", "/api/v2/imports/job-12345", token, nil),
                ("readInsights", "GET", "/v1/jobs/job-12345/insights", [], nil),
                ("readJob", "GET", "/v1/jobs/job-12345", token, nil),
                ("cancelJob", "DELETE", "/v1/jobs/job-12345", token, nil),
                ("retryJob", "POST", "/v1/jobs/job-12345/retry", [], #"{"token":"tok-1"}"#),
                ("cancelJobByBody", "POST", "/api/enrichment/cancel", token, #"{"jobId":"job-12345"}"#),
                ("refreshToken", "POST", "/v1/token/refresh", [], #"{"jobId":"job-12345","oldToken":"tok-1"}"#),
                ("readHealth", "GET", "/health", [], nil), ("readLiveness", "GET", "/health/live", [], nil),
                ("readReadiness", "GET", "/health/ready", [], nil),
            ]
            for (id, method, path, fields, body) in calls {
                let operation = try #require(OperationCatalog.all.first { $0.id == id })
                let type = body == nil ? [] : ["Content-Type: application/json"]
                proxy.host.script.withLockedValue { $0.head = id == "readImportResultsOfApps" ? .ofImport : nil }
                let answer = try await proxy.request(
                    method, path, fields: fields + type + [Self.listedOrigin], body: body.map { Array($0.utf8) })
                #expect(Self.hiddenFields(of: answer) == [], "\(id)")
                let described = try #require(operation.answers.first { $0.status == answer.status }, "\(id)")
                var check = SchemaCheck()
                check.compare(try answer.object, try #require(described.schema), at: id)
                #expect(check.faults == [])
                for field in described.fields { #expect(answer[field.name.lowercased()] != nil, "\(id) \(field)") }
            }
        }
    }

    @Test(
        "a cached search has the header fields that its operation describes",
        arguments: SearchOperations.all + LegacySearchOperations.all)
    func searches(_ operation: APIOperation) async throws {
        try await RunningProxy.run { proxy in
            let worker = try await FakeWorker(at: proxy, answering: .success(FakeWorker.found(age: 90)))
            let query = operation.parameters.compactMap { parameter in
                parameter.example.map { "\(parameter.name)=\($0.replacing(" ", with: "+"))" }
            }
            let answer = try await proxy.request("GET", "\(operation.paths[0])?\(query.joined(separator: "&"))")
            let described = try #require(operation.answers.first { $0.status == answer.status })
            #expect(described.fields.map(\.name) == ["X-Cache", "Age"])
            for field in described.fields { #expect(answer[field.name.lowercased()] != nil, "\(field)") }
            await worker.stop()
        }
    }

    @Test(
        "an operation that describes a 304 describes the entity tag of all its responses",
        arguments: OperationCatalog.all.filter { $0.answers.contains { $0.status == 304 } })
    func tagged(_ operation: APIOperation) {
        #expect(operation.answers.count == 2)
        for answer in operation.answers { #expect(answer.fields.contains(.eTag), "\(answer.status)") }
    }

    @Test("scripts of listed origins may read the name of a download")
    func download() async throws {
        try await RunningProxy.run(script: .init(importPages: [(.books, [try ImportRows.book(1)])])) { proxy in
            let answer = try await proxy.request(
                "GET", "/v1/csv/results/job-12345?format=csv", fields: [Self.listedOrigin])
            #expect(answer["content-disposition"] != nil)
            #expect(Self.hiddenFields(of: answer) == [])
        }
    }

    @Test("scripts of listed origins may read every described header field", arguments: AnswerField.allCases)
    func exposed(_ field: AnswerField) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", "/health/live", fields: [Self.listedOrigin])
            let exposed = try #require(answer["access-control-expose-headers"])
            #expect(exposed.components(separatedBy: ", ").contains(field.name))
        }
    }

    @Test(
        "the Last-Event-ID of a stream is described as a number for one job and as text for several jobs",
        arguments: [("streamJob", "integer"), ("streamJobs", "string"), ("streamListedJobs", "string")])
    func positions(id: String, type: String) throws {
        let operation = try #require(OperationCatalog.all.first { $0.id == id })
        let answer = try #require(operation.answers.first)
        let field = try #require(answer.fields.first { $0.name == "Last-Event-ID" })
        let schema = try Self.object(field)["schema"] as? [String: Any]
        #expect(schema?["type"] as? String == type)
        let headers = try Self.object(answer)["headers"] as? [String: [String: String]]
        #expect(headers?["Last-Event-ID"] == ["$ref": "#/components/headers/\(field.rawValue)"])
    }

    private static func object(_ value: some Encodable) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        return try #require(object as? [String: Any])
    }

    @Test("failures have the described structure and a described status")
    func failures() async throws {
        try await RunningProxy.run { proxy in
            proxy.host.script.withLockedValue {
                $0.failure = .init(code: "NOT_FOUND", message: "There is no such job.")
            }
            for (id, method, path, body) in [
                ("startBatch", "POST", "/v1/enrichment/batch", "[]"),
                ("readResults", "GET", "/v1/enrichment/results/job-12345", ""),
                ("readJobResults", "GET", "/v1/jobs/x/results", ""),
                ("watchJob", "GET", "/ws/progress?jobId=job-12345", ""),
            ] {
                let operation = try #require(OperationCatalog.all.first { $0.id == id })
                let answer = try await proxy.request(method, path, body: Array(body.utf8))
                #expect(operation.allAnswers.contains { $0.status == answer.status && $0.schema == .named(.failure) })
                var check = SchemaCheck()
                check.compare(try answer.object, .named(.failure), at: path)
                #expect(check.faults == [])
            }
        }
    }

    @Test("every example request body matches its schema")
    func examples() throws {
        for operation in OperationCatalog.all {
            guard let body = operation.body, let example = body.example else { continue }
            #expect(try SchemaCheck.faults(of: example, against: .named(body.schema)) == [], "\(operation.id)")
        }
    }
}
