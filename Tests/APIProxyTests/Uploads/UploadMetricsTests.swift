import BookstrackContract
import JSONRPC
import NIOConcurrencyHelpers
import Observability
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Metrics and tail events of uploads", .timeLimit(.minutes(1)))
struct UploadMetricsTests {
    private static let path = "/v1/csv/import"
    private static let file = Array("Title\nDune\n".utf8)

    @Test("each upload is counted once, by its outcome")
    func outcomes() async throws {
        try await RunningProxy.run({ $0.maxImportBytes = 1_000 }) { proxy in
            let bodies = [Self.file, [UInt8](repeating: 97, count: 1_001), Array("%PDF-1.7".utf8)]
            for body in bodies { _ = try await proxy.request("POST", Self.path, body: body) }
            _ = try await proxy.request("POST", Self.path + "?enrich=maybe", body: Self.file)
            proxy.host.script.withLockedValue { $0.failure = .init(code: "JOB_EXISTS", message: "there is another") }
            _ = try await proxy.request("POST", Self.path, body: Self.file)
            proxy.host.script.withLockedValue { $0.failure = .init(code: "SERVICE_UNAVAILABLE", message: "no") }
            _ = try await proxy.request("POST", Self.path, body: Self.file)
            let uploads = proxy.readings("bookstrack_uploads_total")
            let ones = ["accepted", "too_large", "wrong_type", "invalid", "conflict", "unavailable"]
            for outcome in UploadOutcome.allCases {
                #expect(uploads[[outcome.rawValue]] == (ones.contains(outcome.rawValue) ? 1 : 0), "\(outcome)")
            }
            #expect(proxy.observations("bookstrack_upload_duration_seconds") == 6)
            #expect(proxy.readings("bookstrack_upload_bytes_total") == [[]: Double(4 * Self.file.count)])
        }
    }

    @Test("an upload whose client disconnects while sending is counted, but not as accepted")
    func abandoned() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("POST \(Self.path) HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nTitle")
            try await until { proxy.readings("bookstrack_uploads_open") == [[]: 1] }
            await connection.close()
            try await until { proxy.readings("bookstrack_uploads_total").values.reduce(0, +) >= 1 }
            #expect(proxy.readings("bookstrack_uploads_open") == [[]: 0])
            #expect(proxy.readings("bookstrack_uploads_total")[["accepted"]] == 0)
        }
    }

    @Test("the folder's reported size is the total size of the stored files")
    func folder() async throws {
        try await RunningProxy.run({ $0.uploadLimits.bytes = 11 << 20 }) { proxy in
            #expect(proxy.readings("bookstrack_upload_folder_bytes") == [[]: 0])
            _ = try await proxy.request("POST", Self.path, body: Self.file)
            #expect(proxy.readings("bookstrack_upload_folder_bytes") == [[]: Double(Self.file.count)])
            #expect(proxy.readings("bookstrack_upload_folder_limit_bytes") == [[]: Double(11 << 20)])
        }
    }

    @Test("the tail shows an accepted file with its job, and a refused file with its error code")
    func tail() async throws {
        try await RunningProxy.run { proxy in
            let accepted = try await proxy.request("POST", Self.path, fields: ["X-Request-Id: up-1"], body: Self.file)
            let job = try accepted.decode(SuccessEnvelope<StartedImport>.self).data.jobId
            _ = try await proxy.request("POST", Self.path, fields: ["X-Request-Id: up-2"], body: Array("%PDF-1".utf8))
            let events = proxy.tail.entries(after: 0, atMost: 100).entries.map { TailEvent($0) }
            let steps = events.filter { $0.kind == .job }
            #expect(steps.map(\.requestId) == ["up-1", "up-2"])
            #expect(steps.map(\.event?.job?.step) == [.uploadAccepted, .uploadRefused])
            #expect(steps.first?.jobId == job.text)
            #expect(steps.first?.event?.job?.result == "11 bytes")
            #expect(steps.last?.event?.job?.code == "UNSUPPORTED_MEDIA_TYPE")
        }
    }
}
