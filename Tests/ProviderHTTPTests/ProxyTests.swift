import Foundation
import TestSupport
import Testing

@testable import ProviderHTTP

@Suite("Ways out: proxy and certificates", .timeLimit(.minutes(1)), .serialized)
struct ProxyTests {
    private func engine(_ route: TransferRoute) throws -> TransferEngine {
        let agent = try #require(UserAgent(version: "1.0", contact: "a@example.org"))
        return try TransferEngine(userAgent: agent, route: route)
    }

    private func perform(
        _ url: String, _ route: TransferRoute, trust: HopTrust = .configured
    ) async throws -> Result<TransferResponse, TransferError> {
        let engine = try engine(route)
        let outcome: Result<TransferResponse, TransferError>
        do throws(TransferError) {
            outcome = .success(try await engine.perform(TransferRequest(url: url, trust: trust)))
        } catch {
            outcome = .failure(error)
        }
        await engine.shutdown()
        return outcome
    }

    private func fault(of url: String, _ route: TransferRoute) async throws -> ConnectionFault? {
        if case .failure(.connectionFailed(let fault, _)) = try await perform(url, route) { fault } else { nil }
    }

    @Test("a request by https goes through the proxy, under a name that only the proxy knows")
    func throughProxy() async throws {
        let network = try TLSAndProxy()
        let url = "https://books.example:\(network.places.tls)/"
        let route = TransferRoute(
            proxy: ProxyRule(proxy: network.proxyURL, except: "other.example"), authorities: network.places.authority)
        let answer = try await perform(url, route).get()
        #expect(answer.body == Data("through".utf8))
        // The rule for addresses does not take the proxy's private address for the target's.
        #expect(try await perform(url, route, trust: .foreign).get().status == 200)
        #expect(try network.stop() == Array(repeating: "CONNECT books.example:\(network.places.tls)", count: 2))
    }

    @Test("behind a proxy, redirects into a private network are refused unseen")
    func privateTargets() async throws {
        let network = try TLSAndProxy()
        let route = TransferRoute(
            proxy: ProxyRule(proxy: network.proxyURL, except: nil), authorities: network.places.authority)
        for host in ["127.0.0.1", "10.0.0.1", "[::1]", "localhost", "metadata.internal"] {
            let outcome = try await perform("https://\(host):\(network.places.tls)/", route, trust: .foreign)
            #expect(outcome == .failure(.privateAddress), "\(host)")
        }
        #expect(try network.stop() == [])
    }

    @Test("excepted hosts and plain http go straight")
    func straight() async throws {
        let network = try TLSAndProxy()
        let route = TransferRoute(
            proxy: ProxyRule(proxy: network.proxyURL, except: "127.0.0.0/8"), authorities: network.places.authority)
        #expect(try await perform("https://127.0.0.1:\(network.places.tls)/", route).get().status == 200)
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let answer = try await perform(server.baseURL, route).get()
            #expect(answer.status == 200)
        }
        #expect(try network.stop() == [])
    }

    @Test("a certificate is believed only when its authority is named")
    func authorities() async throws {
        let network = try TLSAndProxy()
        let url = "https://127.0.0.1:\(network.places.tls)/"
        #expect(try await fault(of: url, .direct) == .tls)
        let named = TransferRoute(authorities: network.places.authority)
        #expect(try await perform(url, named).get().status == 200)
        _ = try network.stop()
    }

    @Test("a proxy that refuses, and one that is not there, are the proxy's fault")
    func proxyFaults() async throws {
        let network = try TLSAndProxy()
        let route = TransferRoute(proxy: ProxyRule(proxy: network.proxyURL, except: nil))
        let refused = try await perform("https://refused.example/", route)
        #expect(refused == .failure(.connectionFailed(.proxy, reason: "it answers CONNECT with status 407")))
        _ = try network.stop()
        #expect(try await fault(of: "https://books.example/", route) == .proxy)
        let unknown = TransferRoute(proxy: ProxyRule(proxy: "http://proxy.invalid:1", except: nil))
        #expect(try await fault(of: "https://books.example/", unknown) == .proxy)
    }

    @Test("a name that does not resolve is told from a port without a listener")
    func names() async throws {
        #expect(try await fault(of: "https://books.invalid/", .direct) == .name)
        #expect(try await fault(of: "https://127.0.0.1:1/", .direct) == .unreachable)
    }
}
