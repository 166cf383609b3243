import BookstrackContract
import Foundation
import JSONRPC
import NIOConcurrencyHelpers
import SuiteMethods
import TestSupport
import Testing
@testable import APIProxy

@Suite("Importing library files", .timeLimit(.minutes(1)))
struct ImportRouteTests {
    typealias Part = MultipartParserTests.Part

    private static let csv = "Title,Author\r\nDune,Frank Herbert\r\n"

    private static func file(_ text: String = csv, name: String? = "my books.csv") -> Part {
        Part(name: "file", fileName: name, content: Array(text.utf8))
    }

    @Test(
        "a form starts a job on every path, and its file is stored where the other services find it",
        arguments: ImportRoutes.importPaths)
    func form(path: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post(
                path,
                form: [
                    Part(name: "jobId", content: Array("job-12345".utf8)),
                    Part(name: "mapping", content: Array(#"{"Naam":"title","3":"isbn"}"#.utf8)), Self.file(),
                    Part(name: "format", content: Array("goodreads".utf8)),
                ])
            #expect(answer.status == 202)
            let started = try answer.decode(SuccessEnvelope<StartedImport>.self).data
            #expect(started.jobId.text == "job-12345")
            #expect(started.token == "tok-1")
            #expect(started.authToken == "tok-1")
            #expect(started.status == .pending)
            #expect(started.filename == "my books.csv")
            #expect(started.bytes == Self.csv.utf8.count)
            #expect(started.websocketUrl == "/ws/progress?jobId=job-12345")
            #expect(started.eventsUrl == "/v1/jobs/job-12345/events")
            #expect(started.sseUrl == "/api/v2/imports/job-12345/stream")
            #expect(started.statusUrl == "/v1/csv/status/job-12345")
            #expect(started.resultsUrl == "/v1/csv/results/job-12345")
            #expect(started.enrichment == nil)
            let begun = try await proxy.host.nextBegun()
            #expect(begun.sha256.count == 64)
            #expect(begun.bytes == Self.csv.utf8.count)
            #expect(begun.lines == 2)
            #expect(!begun.enrich)
            #expect(begun.options == #"{"format":"goodreads","mapping":{"3":"isbn","Naam":"title"}}"#)
            #expect(begun.origin.priority == .low)
            #expect(begun.origin.completionBooks == (path == "/api/import/csv-gemini" ? .imported : .none))
            let kept = proxy.directory.appending(path: "uploads/job-12345/file")
            #expect(try String(contentsOf: kept, encoding: .utf8) == Self.csv)
            #expect(proxy.uploaded(".incoming").isEmpty)
        }
    }

    @Test("the body may be the file itself, with the same parameters in the query and any Content-Type")
    func raw() async throws {
        try await RunningProxy.run { proxy in
            for type in ["text/csv", "application/vnd.ms-excel", "application/x-www-form-urlencoded", nil] {
                let answer = try await proxy.request(
                    "POST", "/v1/csv/import?enrich=true&filename=a%2Fb.csv",
                    fields: type.map { ["Content-Type: \($0)"] } ?? [], body: Array(Self.csv.utf8))
                #expect(answer.status == 202)
                let started = try answer.decode(SuccessEnvelope<StartedImport>.self).data
                #expect(started.filename == "b.csv")
                #expect(started.jobId.isRandomUUID)
                #expect(started.enrichment?.jobId.text == "linked-12345")
                #expect(started.enrichment?.token == "tok-2")
                #expect(try await proxy.host.nextBegun().enrich)
            }
        }
    }

    @Test("a repeated start whose file is not needed keeps the stored file and deletes the new one")
    func repeated() async throws {
        try await RunningProxy.run { proxy in
            let path = "/v1/csv/import?jobId=job-12345"
            _ = try await proxy.request("POST", path, body: Array(Self.csv.utf8))
            proxy.host.script.withLockedValue { $0.needsFile = false }
            let answer = try await proxy.request("POST", path, body: Array(Self.csv.utf8))
            #expect(answer.status == 202)
            #expect(proxy.uploaded() == [".incoming", "job-12345"])
            #expect(proxy.uploaded(".incoming").isEmpty)
        }
    }

    @Test("a job's file is never replaced: a different file is refused, and the same file is accepted")
    func exchanged() async throws {
        try await RunningProxy.run { proxy in
            let path = "/v1/csv/import?jobId=job-12345"
            _ = try await proxy.request("POST", path, body: Array(Self.csv.utf8))
            let other = try await proxy.request("POST", path, body: Array("Title\nEmma\n".utf8))
            #expect(other.status == 409)
            #expect(try other.failure.code == .jobExists)
            #expect(try await proxy.request("POST", path, body: Array(Self.csv.utf8)).status == 202)
            let kept = proxy.directory.appending(path: "uploads/job-12345/file")
            #expect(try String(contentsOf: kept, encoding: .utf8) == Self.csv)
        }
    }

    @Test("a refusal by progress-host keeps its code, and the file is deleted")
    func refused() async throws {
        try await RunningProxy.run { proxy in
            proxy.host.script.withLockedValue { $0.failure = .init(code: "JOB_EXISTS", message: "The jobId is taken.") }
            let answer = try await proxy.post("/v1/csv/import", form: [Self.file()])
            #expect(answer.status == 409)
            #expect(proxy.uploaded() == [".incoming"])
            #expect(proxy.uploaded(".incoming").isEmpty)
        }
    }

    @Test(
        "a refusal names the invalid option",
        arguments: [
            ("jobId", "short"), ("jobId", "../../etc/passwd"), ("enrich", "yes"), ("format", "excel"),
            ("mapping", "[]"),
            ("mapping", "{"), ("mapping", #"{"Naam":3}"#), ("mapping", #"{"Naam":"colour"}"#),
            ("mapping", #"{"a":"title","b":"title"}"#), ("ai", "1"),
        ])
    func badTexts(name: String, text: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post(
                "/v1/csv/import", form: [Self.file(), Part(name: name, content: Array(text.utf8))])
            #expect(answer.status == 400)
            let failure = try answer.failure
            #expect(failure.code == .invalidRequest)
            guard case .text(let place)? = failure.details?["field"] else {
                Issue.record("\(failure) has no field")
                return
            }
            #expect(place.hasPrefix(name))
            #expect(proxy.uploaded(".incoming").isEmpty)
        }
    }

    @Test("a mapping error lists the invalid columns, and some roles may be assigned to several columns")
    func mapping() throws {
        let request = try ImportRequest(["mapping": #"{"a":"shelves","b":"shelves","c":null}"#])
        #expect(request.options == #"{"mapping":{"a":"shelves","b":"shelves"}}"#)
        let failure = #expect(throws: APIFailure.self) {
            try ImportRequest(["mapping": #"{"b":"title","a":"title","c":"isbn"}"#])
        }
        #expect(failure?.details?["columns"] == .list(["a", "b"]))
        #expect(try ImportRequest(["enrich": "", "jobId": ""]).options == "{}")
    }

    @Test("a preview returns the worker's response, and the file is deleted afterward")
    func preview() async throws {
        try await RunningProxy.run { proxy in
            let seen = Inbox<String?>()
            let worker = try await FakePreviewWorker.start(for: proxy) { preview in
                seen.append(try? String(contentsOfFile: preview.path, encoding: .utf8))
                return #"{"totalRows":1}"#
            }
            let answer = try await proxy.post(
                "/v1/csv/preview", form: [Self.file(name: nil), Part(name: "format", content: Array("leaf".utf8))])
            #expect(answer.status == 200)
            #expect(try answer.object["data"] as? [String: Int] == ["totalRows": 1])
            #expect(try answer.object["success"] as? Bool == true)
            #expect(try await seen.take() == Self.csv)
            #expect(worker.previews.first?.options == #"{"format":"leaf"}"#)
            #expect(proxy.uploaded() == [".incoming"])
            #expect(proxy.uploaded(".incoming").isEmpty)
            await worker.stop()
        }
    }

    @Test("a file that the worker cannot read causes a 400, and a worker that is down or busy causes a 503")
    func previewFailures() async throws {
        try await RunningProxy.run { proxy in
            let away = try await proxy.post("/v1/csv/preview", form: [Self.file()])
            #expect(away.status == 503)
            #expect(try away.failure.details?["service"] == "enrichment-worker")
            let code = Inbox<String>()
            let worker = try await FakePreviewWorker.start(for: proxy) { _ in
                throw RPCApplicationError(code: try await code.take(), message: "No column looks like a title.")
            }
            for (text, status) in [("CSV_PARSE_ERROR", 400), ("BATCH_TOO_LARGE", 400), ("SERVICE_UNAVAILABLE", 503)] {
                code.append(text)
                let answer = try await proxy.post("/v1/csv/preview", form: [Self.file()])
                #expect(answer.status == status)
                #expect(try answer.failure.code.rawValue == text)
            }
            await worker.stop()
        }
    }

    @Test("a preview that takes too long causes a 503 that suggests an import and blames no service")
    func slowPreview() throws {
        let failure = try #require(APIFailure(preview: .deadlineExceeded))
        #expect(failure.code == .serviceUnavailable)
        #expect(failure.message == "The preview took more than 5 s. Import the file instead.")
        #expect(failure.details == nil)
        #expect(failure.retryAfter != nil)
    }

    @Test("if a client disconnects during a preview, its file is deleted, and the request counts toward the limit")
    func previewAbandoned() async throws {
        try await RunningProxy.run({ $0.rateLimits = RateLimits() }) { proxy in
            let asked = Inbox<Void>()
            let worker = try await FakePreviewWorker.start(for: proxy) { _ in
                asked.append(())
                try await Task.sleep(for: .seconds(3_600))
                return "{}"
            }
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "POST /v1/csv/preview HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.csv.utf8.count)\r\n\r\n\(Self.csv)")
            try await asked.take()
            #expect(proxy.uploaded(".incoming").count == 1)
            await connection.close()
            try await proxy.uploadsEnd()
            try await until { proxy.observations("bookstrack_upload_duration_seconds") != 0 }
            #expect(proxy.readings("bookstrack_uploads_total")[["abandoned"]] == 1)
            let answer = try await proxy.request("POST", "/v1/csv/preview", body: [])
            #expect(answer["x-ratelimit-remaining"] == "8")
            await worker.stop()
        }
    }

    @Test("imports and previews share a limit of ten a minute")
    func limited() async throws {
        try await RunningProxy.run({ $0.rateLimits = RateLimits() }) { proxy in
            for count in 0..<10 {
                let path = count % 2 == 0 ? "/v1/csv/import" : "/v1/csv/preview"
                #expect(try await proxy.request("POST", path, body: [])["x-ratelimit-limit"] == "10")
            }
            let answer = try await proxy.post("/api/v2/imports", form: [Self.file()])
            #expect(answer.status == 429)
            #expect(proxy.uploaded(".incoming").isEmpty)
        }
    }
}

@Suite("Import status") struct ImportStatusTests {
    private static let uuid = "3f0c2b1e-6a2f-4d0b-9a51-0d4c7c1e2f33"

    @Test("the status of a job with a version 4 UUID needs no token, and its members are repeated at the top level")
    func shapes() async throws {
        try await RunningProxy.run { proxy in
            for (path, status) in [("/v1/csv/status/", "processing"), ("/api/v2/imports/", "PROCESSING")] {
                let answer = try await proxy.request("GET", path + Self.uuid)
                #expect(answer.status == 200)
                let object = try answer.object
                let data = try #require(object["data"] as? [String: Any])
                for members in [object, data] {
                    #expect(members["jobId"] as? String == Self.uuid)
                    #expect(members["status"] as? String == status)
                    #expect(members["progress"] as? Double == 0.5)
                    #expect(members["processedCount"] as? Int == 1)
                    #expect(members["totalCount"] as? Int == 2)
                }
                #expect(object["success"] as? Bool == true)
                #expect(data.count == 5)
            }
        }
    }

    @Test("the status of a job with an identifier that is not a version 4 UUID needs the job's token")
    func tokens() async throws {
        try await RunningProxy.run { proxy in
            let refused = try await proxy.request("GET", "/v1/csv/status/job-12345")
            #expect(refused.status == 401)
            let fields = ["Authorization: Bearer tok-1"]
            let answer = try await proxy.request("GET", "/v1/csv/status/job-12345", fields: fields)
            #expect(answer.status == 200)
            let tokens = proxy.host.events.elements.compactMap { event in
                if case .access(let method, let access) = event, method == "progress" { access.token } else { nil }
            }
            #expect(tokens == ["tok-1"])
        }
    }

    @Test("each state has one of the five names that the apps recognize", arguments: JobStatus.allCases)
    func words(status: JobStatus) async throws {
        try await RunningProxy.run { proxy in
            let id = try job(Self.uuid)
            proxy.host.script.withLockedValue {
                $0.progress = .init(
                    jobId: id, pipeline: .csvImport, status: status, progress: 1, processedCount: 2, totalCount: 2)
            }
            let answer = try await proxy.request("GET", "/api/v2/imports/" + Self.uuid)
            let word = try #require(try answer.object["status"] as? String)
            #expect(["PENDING", "PROCESSING", "COMPLETED", "FAILED", "CANCELLED"].contains(word))
            #expect(status == .cancelling || word == status.rawValue.uppercased())
        }
    }
}
