import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import ServiceKit
import SuiteMethods
import TestSupport
import Testing
import Transfer

@testable import EnrichmentWorker

/// The sending of webhooks, which is enrichment-worker's part of jobs.md "Webhooks".
@Suite("Sending webhooks", .timeLimit(.minutes(1)))
struct WebhookSenderTests {
    private static let agent = UserAgent(version: "1.0", contact: "books@example.org")!

    /// A sender that is allowed to call `hosts`; names resolve to `addresses`, if any are given.
    private func sender(
        _ hosts: String..., addresses: [String]? = nil, route: TransferRoute = .direct
    ) throws -> WebhookSender {
        let settings = try Settings.load(
            arguments: ["--webhook-hosts", hosts.joined(separator: ",")],
            environment: ["BOOKSTRACK_WEBHOOK_SECRET": "a plain key"])
        var sender = try #require(try WebhookSender(settings, TransferEngine(userAgent: Self.agent, route: route)))
        if let addresses { sender.resolve = { _ in addresses.compactMap { TargetAddress($0) } } }
        return sender
    }

    private func call(_ url: String) throws -> WebhookCall {
        WebhookCall(
            id: "msg_1", attempt: 0, url: url, jobId: try #require(JobID("job-12345")), resultsRevision: 4, improved: 3)
    }

    private func fault(_ sender: WebhookSender, _ url: String) async throws -> WebhookFault? {
        let call = try call(url)
        do throws(WebhookFault) {
            try await sender.send(call)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "signatures follow Standard Webhooks",
        arguments: [
            ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
            ("a plain key", "v1,djFBCdiq3kswl4/WR9vG9WCPIPYK3xfTiXVO152s/fs="),
        ])
    func signature(secret: String, expected: String) throws {
        let fields = try WebhookSignature(Secret(secret)).fields(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: #"{"test": 2432232314}"#)
        #expect(fields.map(\.name) == ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"])
        #expect(fields.map(\.value) == ["msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", expected])
    }

    @Test("a key with the prefix whsec_ must be valid base64", arguments: ["whsec_", "whsec_%%%"])
    func badKey(secret: String) { #expect(throws: SettingsError.self) { try WebhookSignature(Secret(secret)) } }

    @Test("webhook hosts without a signing key are rejected, and without hosts, webhooks are off")
    func settings() throws {
        let engine = try TransferEngine(userAgent: Self.agent)
        let off = try Settings.load(arguments: [], environment: [:])
        #expect(try WebhookSender(off, engine) == nil)
        let keyless = try Settings.load(arguments: ["--webhook-hosts", "hooks.example.org"], environment: [:])
        #expect(throws: SettingsError.self) { try WebhookSender(keyless, engine) }
    }

    @Test(
        "a webhook is posted with its signature, and any success status means that it was delivered",
        arguments: [200, 204, 299])
    func posts(status: Int) async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(status, body: [])
        } _: { server in
            let sender = try sender("127.0.0.1:\(server.port)")
            #expect(try await fault(sender, server.baseURL + "/books?x=1") == nil)
            let head = try #require(server.arrivals.first?.head)
            #expect(head.hasPrefix("POST /books?x=1 HTTP/1.1"))
            #expect(head.contains("Webhook-Id: msg_1"))
            #expect(head.contains("Webhook-Signature: v1,"))
            #expect(head.contains("Content-Type: application/json"))
        }
    }

    @Test(
        "a webhook fails if the status is not a success status, and redirects are not followed",
        arguments: [301, 302, 307, 400, 410, 500, 503])
    func refuses(status: Int) async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(status, headers: ["Location: /elsewhere"], body: [])
        } _: { server in
            let sender = try sender("127.0.0.1:\(server.port)")
            #expect(try await fault(sender, server.baseURL + "/") == .status(status))
            #expect(server.arrivals.map(\.path) == ["/"])
        }
    }

    @Test("only the start of a long response is read, and the webhook still counts as delivered")
    func longAnswer() async throws {
        try await FaultServer.with { _, _ in
            [.send(FaultStep.head(headers: ["Content-Length: 1000000000"])), .sendZeros(1_000_000_000)]
        } _: { server in
            let sender = try sender("127.0.0.1:\(server.port)")
            #expect(try await fault(sender, server.baseURL + "/") == nil)
            await server.allClosed()
        }
    }

    @Test(
        "an allowed host is not called at a private address, or at an IPv6 address that contains an IPv4 address",
        arguments: [
            "127.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "::1", "fe80::1",
            "fc00::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "2002:7f00:1::1",
        ])
    func privateAddress(address: String) async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let sender = try sender("hooks.example.org", addresses: [address])
            #expect(try await fault(sender, "https://hooks.example.org:\(server.port)/") == .forbiddenAddress)
            #expect(server.connections == 0)
        }
    }

    @Test("a name that is not resolved in time ends the attempt, although its resolution cannot be stopped")
    func slowResolver() async throws {
        let end = DispatchSemaphore(value: 0)
        defer { end.signal() }
        var sender = try sender("hooks.example.org")
        sender.timeLimit = .milliseconds(20)
        sender.resolve = { _ in
            end.wait()
            return []
        }
        #expect(try await fault(sender, "https://hooks.example.org/") == .transfer(.timedOut(.connect)))
    }

    @Test("a host is refused if even one of its addresses is private")
    func mixedAddresses() async throws {
        let sender = try sender("hooks.example.org", addresses: ["8.8.8.8", "127.0.0.1"])
        #expect(try await fault(sender, "https://hooks.example.org/") == .forbiddenAddress)
    }

    @Test("a public address is not called over http")
    func publicWithoutTLS() async throws {
        let sender = try sender("hooks.example.org:80", addresses: ["8.8.8.8"])
        #expect(try await fault(sender, "http://hooks.example.org/") == .forbiddenAddress)
    }

    @Test("a name is resolved once, and the connection goes to the resolved address")
    func rebinding() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let asked = NIOLockedValueBox(0)
            var sender = try sender("hooks.invalid:\(server.port)")
            sender.resolve = { _ in
                asked.withLockedValue { $0 += 1 }
                return [TargetAddress("127.0.0.1")].compactMap(\.self)
            }
            // The name cannot be resolved: if libcurl had tried, the call would have failed.
            #expect(try await fault(sender, "http://hooks.invalid:\(server.port)/") == nil)
            #expect(asked.withLockedValue { $0 } == 1)
            #expect(server.arrivals.first?.head.contains("Host: hooks.invalid:\(server.port)") == true)
        }
    }

    @Test(
        "over https, the certificate must be trusted and match the host name, although the connection goes to an IP address",
        arguments: [("books.example", true, true), ("books.example", false, false), ("hooks.example", true, false)])
    func certificate(host: String, isTrusted: Bool, arrives: Bool) async throws {
        let network = try TLSAndProxy()
        let listed = "\(host):\(network.places.tls)"
        let route = TransferRoute(
            proxy: ProxyRule(proxy: network.proxyURL, except: nil),
            authorities: isTrusted ? network.places.authority : nil)
        let sender = try sender(listed, addresses: ["127.0.0.1"], route: route)
        let fault = try await fault(sender, "https://\(listed)/books")
        #expect(fault?.code == (arrives ? nil : "connection_failed_tls"))
        #expect(try network.stop() == [], "a proxy would resolve the name again")
    }

    @Test("a host that is not in the list of allowed hosts is not called")
    func notListed() async throws {
        let sender = try sender("hooks.example.org")
        #expect(try await fault(sender, "https://other.example.org/") == .refused(.notListed))
    }

    @Test("an attempt that is interrupted because the worker stops is not recorded as a failure")
    func interrupted() async throws {
        try await FaultServer.with { _, earlier in
            earlier == 0 ? [.hang] : FaultStep.answer(500)
        } _: { server in
            try await WorkerRig.run { rig in
                try await rig.worker.host.waitUntilConnected(within: .seconds(60))
                let connection = try #require(rig.worker.host.connection)
                let work = try sender("127.0.0.1:\(server.port)").work(
                    at: rig.worker.host, WorkerPolicy(), Logger(label: "webhooks") { _ in SwiftLogNoOpLogHandler() })
                let call = try call(server.baseURL + "/")
                let attempt = Task { await work.run(call, connection) }
                await server.requests(1)
                attempt.cancel()
                await attempt.value
                await work.run(call, connection)
                #expect(rig.host.webhooks.map(\.fault) == ["status_500"])
            }
        }
    }

    @Test("a webhook fails if its host name resolves to no address")
    func unresolved() async throws {
        let sender = try sender("hooks.example.org", addresses: [])
        #expect(try await fault(sender, "https://hooks.example.org/") == .unresolved)
    }
}
