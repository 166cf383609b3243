import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOCore
import NIOPosix
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Job routes") struct JobRouteTests {
    private func nextAccess(_ proxy: RunningProxy) async throws -> (String, JobAccess) {
        let event = try await proxy.host.events.take { if case .access = $0 { true } else { false } }
        guard case .access(let method, let access) = event else { throw RPCError.notConnected }
        return (method, access)
    }

    @Test("reading, cancelling and retrying a job pass the token on and return progress-host's response")
    func token() async throws {
        try await RunningProxy.run { proxy in
            let bearer = ["Authorization: Bearer tok-1"]
            let state = try await proxy.request("GET", "/v1/jobs/job-12345", fields: bearer)
            #expect(try state.decode(SuccessEnvelope<JobState>.self).data.totalCount == 2)
            #expect(try await nextAccess(proxy) == ("state", JobAccess(jobId: try job("job-12345"), token: "tok-1")))
            let cancel = try await proxy.request("DELETE", "/v1/jobs/job-12345", fields: bearer)
            #expect(try cancel.decode(SuccessEnvelope<CancelOutcome>.self).data.cleanup.itemsDiscarded == 1)
            #expect(try await nextAccess(proxy).0 == "cancel")
            let retry = try await proxy.request("POST", "/v1/jobs/job-12345/retry", fields: bearer)
            #expect(retry.status == 202)
            #expect(try retry.decode(SuccessEnvelope<RetryOutcome>.self).data.retrying == 3)
            #expect(try await nextAccess(proxy) == ("retry", JobAccess(jobId: try job("job-12345"), token: "tok-1")))
        }
    }

    @Test("a token may be in a POST body, and a missing token is passed on as an empty one")
    func bodyToken() async throws {
        try await RunningProxy.run { proxy in
            _ = try await proxy.post("/v1/jobs/job-12345/retry", #"{"token":"tok-9"}"#)
            #expect(try await nextAccess(proxy).1.token == "tok-9")
            _ = try await proxy.post("/api/enrichment/cancel", #"{"jobId":"job-12345","token":"tok-8"}"#)
            #expect(try await nextAccess(proxy).1.token == "tok-8")
            _ = try await proxy.request("GET", "/v1/jobs/job-12345")
            #expect(try await nextAccess(proxy).1.token == "")
        }
    }

    @Test(
        "the 401 for a request without a token explains what to send, and the 401 for a wrong token does not"
    )
    func missingToken() async throws {
        let unauthorized = RPCApplicationError(code: "UNAUTHORIZED", message: "", details: nil, retryAfterSeconds: nil)
        try await RunningProxy.run(script: .init(failure: unauthorized)) { proxy in
            for (method, path) in [
                ("GET", "/v1/jobs/job-12345"), ("DELETE", "/v1/jobs/job-12345"), ("POST", "/v1/jobs/job-12345/retry"),
                ("GET", "/v1/scan/photos/job-12345/0"),
            ] {
                let missing = try await proxy.request(method, path)
                #expect(missing.status == 401)
                #expect(try missing.failure.message.contains("Authorization: Bearer TOKEN"))
                let wrong = try await proxy.request(method, path, fields: ["Authorization: Bearer x"])
                #expect(wrong.status == 401)
                #expect(try !wrong.failure.message.contains("Authorization"))
            }
        }
    }

    @Test("the apps' own cancel routes pass a missing token on as absent, and DELETE passes it on as empty")
    func tokenless() async throws {
        try await RunningProxy.run { proxy in
            for path in ["/api/enrichment/cancel", "/api/scan-bookshelf/cancel"] {
                let cancel = try await proxy.post(path, #"{"jobId":"job-12345"}"#)
                #expect(cancel.status == 200)
                #expect(try await nextAccess(proxy) == ("cancel", JobAccess(jobId: try job("job-12345"), token: nil)))
            }
            let cancel = try await proxy.request("POST", "/v1/csv/cancel/job-12345")
            #expect(cancel.status == 200)
            #expect(try await nextAccess(proxy) == ("cancel", JobAccess(jobId: try job("job-12345"), token: nil)))
            _ = try await proxy.request(
                "POST", "/v1/csv/cancel/job-12345", fields: ["Authorization: Bearer tok-3"])
            #expect(try await nextAccess(proxy).1.token == "tok-3")
            _ = try await proxy.request("DELETE", "/v1/jobs/job-12345")
            #expect(try await nextAccess(proxy).1.token == "")
        }
    }

    @Test("a cancellation reports its cleanup with the members that each generation of the app reads")
    func cleanup() async throws {
        try await RunningProxy.run { proxy in
            let cancel = try await proxy.request(
                "DELETE", "/v1/jobs/job-12345", fields: ["Authorization: Bearer tok-1"])
            let data = try #require(try cancel.object["data"] as? [String: Any])
            let cleanup = try #require(data["cleanup"] as? [String: Any])
            #expect(cleanup["itemsDiscarded"] as? Int == 1)
            #expect(cleanup["uploadsDeleted"] as? Int == 0)
            #expect(cleanup["r2ObjectsDeleted"] as? Int == 0)
            #expect(cleanup["kvCacheCleared"] as? Bool == false)
        }
    }

    @Test(
        "an empty body counts as missing, whatever its Content-Type",
        arguments: ["application/json", "application/x-www-form-urlencoded"])
    func emptyBody(type: String) async throws {
        try await RunningProxy.run { proxy in
            let retry = try await proxy.request(
                "POST", "/v1/jobs/job-12345/retry",
                fields: ["Authorization: Bearer tok-1", "Content-Type: \(type)"], body: [])
            #expect(retry.status == 202)
        }
    }

    @Test("the response with a refreshed token has no envelope and only string values")
    func refresh() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post("/api/token/refresh", #"{"jobId":"job-12345","oldToken":"tok-1"}"#)
            #expect(answer.status == 200)
            #expect(
                try answer.object as? [String: String] == [
                    "jobId": "job-12345", "token": "tok-2", "newToken": "tok-2",
                    "expiresAt": "2025-11-15T22:00:00.000Z",
                ])
        }
    }

    @Test("results of many pages arrive in one envelope")
    func results() async throws {
        let rows = (0..<5).map { page in (0..<3).map { #"{"isbn":"\#(page)-\#($0)","success":true}"# } }
        try await RunningProxy.run(script: .init(rows: rows)) { proxy in
            for path in ["/v1/enrichment/results/job-12345", "/v1/jobs/job-12345/results"] {
                let answer = try await proxy.request("GET", path)
                #expect(answer.status == 200)
                #expect(answer["x-request-id"] != nil)
                let envelope = try answer.decode(SuccessEnvelope<EnrichmentResults>.self)
                #expect(envelope.metadata.provider == "kv_cache")
                #expect(envelope.metadata.cached == true)
                let data = envelope.data
                #expect(data.enrichedBooks.map(\.isbn) == (0..<15).map { "\($0 / 3)-\($0 % 3)" })
                #expect(data.resultsRevision == 1)
                #expect(data.expiresAt == "2025-11-16T20:00:00.000Z")
            }
            let head = try await proxy.request("HEAD", "/v1/enrichment/results/job-12345")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
        }
    }

    @Test("a results page without rows leaves no stray comma in the JSON")
    func emptyResults() async throws {
        try await RunningProxy.run(script: .init(rows: [[], [#"{"success":false}"#], []])) { proxy in
            let answer = try await proxy.request("GET", "/v1/enrichment/results/job-12345")
            #expect(try answer.decode(SuccessEnvelope<EnrichmentResults>.self).data.enrichedBooks.count == 1)
        }
    }

    @Test(
        "an error from progress-host has the HTTP status of its code and, unless it is UNAUTHORIZED, keeps its details",
        arguments: APIErrorCode.allCases)
    func codes(_ code: APIErrorCode) async throws {
        let failure = RPCApplicationError(
            code: code.rawValue, message: "as the host says",
            details: ByteBuffer(string: #"{"refreshableInSeconds":9}"#),
            retryAfterSeconds: 4)
        try await RunningProxy.run(script: .init(failure: failure)) { proxy in
            let answer = try await proxy.post("/v1/enrichment/batch", #"{"isbns":["1"]}"#)
            #expect(answer.status == code.status)
            let told = try answer.failure
            #expect(told.code == code)
            #expect(told.retryable == code.isRetryable)
            guard code != .unauthorized else { return }
            #expect(told.details == ["refreshableInSeconds": 9])
            #expect(told.message == "as the host says")
            #expect(answer["retry-after"] == "4")
        }
    }

    @Test(
        "while progress-host is down, starts receive a 503 that does not count toward the limit, and a later start succeeds"
    )
    func hostDown() async throws {
        try await RunningProxy.run(startsHost: false) { proxy in
            // More attempts than the limit allows: a start that fails because of progress-host is not counted.
            for _ in 0..<12 {
                let refused = try await proxy.post("/v1/enrichment/batch", #"{"isbns":["1"]}"#)
                #expect(refused.status == 503)
                #expect(refused["retry-after"] != nil)
                let failure = try refused.failure
                #expect(failure.code == .serviceUnavailable)
                #expect(failure.retryable)
                #expect(failure.details == ["service": "progress-host"])
                #expect(failure.message.contains("progress-host"))
            }
            try await proxy.host.start()
            try await proxy.connectToHost()
            #expect(try await proxy.post("/v1/enrichment/batch", #"{"isbns":["1"]}"#).status == 202)
        }
    }

    @Test("calls to v1 methods on api-proxy.sock are forwarded under progress-host's method names")
    func forwarding() async throws {
        try await RunningProxy.run { proxy in
            let client = RPCClient(
                path: proxy.directory.appending(path: "api-proxy.sock").path, router: RPCRouter(),
                group: MultiThreadedEventLoopGroup.singleton, logger: .init(label: "test"))
            let running = Task { await client.run() }
            try await client.waitUntilConnected(within: .seconds(10))
            for (name, forwarded) in [
                (PushProgress.proxyName, PushProgress.name), (CloseConnection.proxyName, CloseConnection.name),
            ] {
                let body = ByteBuffer(string: #"{"jobId":"job-12345","status":"x"}"#)
                _ = try await client.callRaw(name, body, deadline: .seconds(5))
                let event = try await proxy.host.events.take { if case .forwarded = $0 { true } else { false } }
                guard case .forwarded(forwarded, #"{"jobId":"job-12345","status":"x"}"#) = event else {
                    Issue.record("\(event)")
                    continue
                }
            }
            let health = try await client.call(HealthCheck.self, Nothing())
            #expect(health.service == .apiProxy)
            #expect(health.readiness.status == .degraded)
            await client.shutdown()
            await running.value
        }
    }
}

private func == (lhs: (String, JobAccess), rhs: (String, JobAccess)) -> Bool {
    lhs.0 == rhs.0 && lhs.1.jobId == rhs.1.jobId && lhs.1.token == rhs.1.token
}
