import BookstrackContract
import Foundation
import ServiceKit
import SuiteMethods
import Testing
import TestSupport

@testable import APIProxy

@Suite("Provider actions from the console") struct ConsoleProviderActionTests {
    /// Starts a proxy, logs in to its console, and passes `body` a function that sends a provider action.
    private func run(_ body: (RunningProxy, _ act: (String) async throws -> HTTPAnswer) async throws -> Void)
        async throws
    {
        try await RunningProxy.runConsole { proxy in
            let session = try await proxy.session()
            try await body(proxy) { text in
                try await proxy.console(
                    "POST", "/console/api/providers/actions", fields: proxy.ownFields() + session.fields, body: text)
            }
        }
    }

    private func outcomes(_ answer: HTTPAnswer) throws -> [[String: Any]] {
        #expect(answer.status == 200)
        return try #require(try answer.object["data"] as? [[String: Any]])
    }

    /// The audit entry of the next action other than the login.
    private func noted(_ proxy: RunningProxy) async throws -> RecordAudit.Parameters? {
        let event = try await proxy.host.events.take {
            if case .audited(let entry) = $0 { entry.action != "login" } else { false }
        }
        guard case .audited(let entry) = event else { return nil }
        return entry
    }

    @Test("a new API key is sent to every worker and appears neither in the response nor in the audit log")
    func key() async throws {
        try await run { proxy, act in
            let workers = [
                try await FakeWorker(at: proxy, answering: nil),
                try await FakeWorker(
                    at: proxy, named: try #require(WorkerName("second")), answering: nil),
            ]
            let answer = try await act(#"{"provider":"isbndb","action":"useKey","key":"a secret"}"#)
            #expect(try outcomes(answer).map { $0["isDone"] as? Bool } == [true, true])
            for worker in workers { #expect(try await worker.operated.take().key == "a secret") }
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("a secret"))
            let entry = try #require(try await noted(proxy))
            #expect(entry.action == "useKey")
            #expect(entry.subject == "isbndb")
            #expect(!"\(entry)".contains("a secret"))
            for worker in workers { await worker.stop() }
        }
    }

    @Test("extra requests are granted through one worker only, because all workers share a budget")
    func allow() async throws {
        try await run { proxy, act in
            let first = try await FakeWorker(at: proxy, answering: nil)
            let second = try await FakeWorker(
                at: proxy, named: try #require(WorkerName("second")), answering: nil)
            let answer = try await act(#"{"provider":"isbndb","action":"allow","requests":20}"#)
            #expect(try outcomes(answer).count == 1)
            #expect(try await first.operated.take().requests == 20)
            #expect(try await noted(proxy)?.action == "allow 20")
            await first.stop()
            await second.stop()
        }
    }

    @Test(
        "if the reply to a grant of requests is lost, no other worker is asked; the outcome says it may have succeeded"
    )
    func lostReply() async throws {
        try await run { proxy, act in
            let first = try await FakeWorker(at: proxy, answering: nil, actionReply: .lostWithConnection)
            let second = try await FakeWorker(
                at: proxy, named: try #require(WorkerName("second")), answering: nil)
            let given = try outcomes(try await act(#"{"provider":"isbndb","action":"allow","requests":20}"#))
            #expect(given.map { $0["isDone"] as? Bool } == [false])
            let text = "The worker did not answer; the action may have been carried out."
            #expect(given.map { $0["outcome"] as? String } == [text])
            #expect(try await noted(proxy)?.outcome == text)
            #expect(try await first.operated.take().requests == 20)
            await first.stop()
            await second.stop()
        }
    }

    @Test("if the task of a grant is cancelled, no other worker is asked; the outcome says it may have succeeded")
    func cancelled() async throws {
        try await RunningProxy.run { proxy in
            let first = try await FakeWorker(at: proxy, answering: nil, actionReply: .withheld)
            let second = try await FakeWorker(
                at: proxy, named: try #require(WorkerName("second")), answering: nil, actionReply: .withheld)
            let actions = ConsoleProviderActions(
                workers: proxy.services.workers,
                actions: ConsoleActions(host: proxy.services.results, logger: proxy.log.logger))
            let request = try ConsoleProviderActions.Request(
                Array(#"{"provider":"isbndb","action":"allow","requests":20}"#.utf8))
            let address = try #require(ClientAddress("127.0.0.1"))
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await actions.perform(request, ConsoleCaller(address: address, session: nil, csrf: ""))
            }
            let outcomes = await task.value
            #expect(outcomes.map(\.outcome) == ["The worker did not answer; the action may have been carried out."])
            await first.stop()
            await second.stop()
        }
    }

    @Test("a worker's refusal and the absence of workers are recorded as outcomes")
    func refused() async throws {
        try await run { proxy, act in
            let text = #"{"provider":"amazon","action":"resume"}"#
            let nobody = try outcomes(try await act(text))
            #expect(nobody.map { $0["outcome"] as? String } == ["No worker is connected."])
            #expect(try await noted(proxy)?.outcome == "No worker is connected.")
            let worker = try await FakeWorker(at: proxy, answering: nil)
            let unknown = try outcomes(try await act(text))
            #expect(unknown.map { $0["isDone"] as? Bool } == [false])
            #expect(unknown.map { $0["outcome"] as? String } == ["there is no provider amazon"])
            #expect(try await noted(proxy)?.outcome == "there is no provider amazon")
            await worker.stop()
        }
    }

    @Test(
        "a malformed action is refused with the name of the invalid field",
        arguments: [
            ("{}", "provider"), (#"{"provider":"isbndb"}"#, "action"),
            (#"{"provider":"isbndb","action":"buy"}"#, "action"),
            (#"{"provider":"isbndb","action":"allow"}"#, "requests"),
            (#"{"provider":"isbndb","action":"allow","requests":0}"#, "requests"),
            (#"{"provider":"isbndb","action":"allow","requests":"5"}"#, "requests"),
            (#"{"provider":"isbndb","action":"allow","requests":1.5}"#, "requests"),
            (#"{"provider":"isbndb","action":"resume","requests":5}"#, "requests"),
            (#"{"provider":"isbndb","action":"useKey"}"#, "key"),
            (#"{"provider":"isbndb","action":"resume","key":"k"}"#, "key"),
        ])
    func malformed(body: String, place: String) async throws {
        try await run { _, act in
            let answer = try await act(body)
            #expect(answer.status == 400)
            #expect(try answer.failure.details?["field"] == .text(place))
        }
    }
}

@Suite("Console analytics") struct ConsoleAnalyticsTests {
    @Test("the console reads analytics from progress-host, beginning at a given time, and refuses an invalid time")
    func days() async throws {
        try await RunningProxy.runConsole(.read, token: nil) { proxy in
            let answer = try await proxy.request(
                "GET", "/console/api/analytics?since=86400000", port: proxy.adminPort)
            let data = try #require(try answer.object["data"] as? [String: Any])
            let days = try #require(data["days"] as? [[String: Any]])
            #expect(days.map { $0["day"] as? String } == ["86400000"])
            for since in ["-1", "x", "1.5"] {
                let status = try await proxy.request(
                    "GET", "/console/api/analytics?since=\(since)", port: proxy.adminPort
                ).status
                #expect(status == 400, "\(since)")
            }
        }
    }

    @Test(
        "the console reads failing ISBNs from a worker; if there is none, it responds with 503 and names the service"
    )
    func failing() async throws {
        try await RunningProxy.runConsole(.read, token: nil) { proxy in
            let path = "/console/api/isbns"
            let refusal = try await proxy.request("GET", path, port: proxy.adminPort)
            #expect(refusal.status == 503)
            #expect(try refusal.failure.details?["service"] == .text("enrichment-worker"))
            let worker = try await FakeWorker(at: proxy, answering: nil)
            let answer = try await proxy.request("GET", path, port: proxy.adminPort)
            let data = try #require(try answer.object["data"] as? [String: Any])
            #expect(data["total"] as? Int == 100)
            await worker.stop()
        }
    }
}
