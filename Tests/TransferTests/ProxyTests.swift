import Foundation
import Testing
import TestSupport
@testable import Transfer

@Suite("Proxies, certificates and failed connections", .timeLimit(.minutes(1)), .serialized)
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

    @Test("an https request is sent through the proxy with a host name that only the proxy can resolve")
    func throughProxy() async throws {
        let network = try TLSAndProxy()
        let url = "https://books.example:\(network.places.tls)/"
        let route = TransferRoute(
            proxy: ProxyRule(proxy: network.proxyURL, except: "other.example"), authorities: network.places.authority)
        let answer = try await perform(url, route).get()
        #expect(answer.body == Data("through".utf8))
        // The address rule applies to the target, not to the proxy's private address.
        #expect(try await perform(url, route, trust: .foreign).get().status == 200)
        #expect(try network.stop() == Array(repeating: "CONNECT books.example:\(network.places.tls)", count: 2))
    }

    @Test("behind a proxy, redirects into a private network are refused, and no request is sent")
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

    @Test("excluded hosts and plain http hosts are contacted directly")
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

    @Test("a certificate is trusted only if its authority is configured")
    func authorities() async throws {
        let network = try TLSAndProxy()
        let url = "https://127.0.0.1:\(network.places.tls)/"
        #expect(try await fault(of: url, .direct) == .tls)
        let named = TransferRoute(authorities: network.places.authority)
        #expect(try await perform(url, named).get().status == 200)
        _ = try network.stop()
    }

    @Test("a refusal by a proxy and a missing proxy are reported as proxy failures")
    func proxyFaults() async throws {
        let network = try TLSAndProxy()
        let route = TransferRoute(proxy: ProxyRule(proxy: network.proxyURL, except: nil))
        let refused = try await perform("https://refused.example/", route)
        #expect(refused == .failure(.connectionFailed(.proxy, reason: "it responded to CONNECT with status 407")))
        _ = try network.stop()
        #expect(try await fault(of: "https://books.example/", route) == .proxy)
        let unknown = TransferRoute(proxy: ProxyRule(proxy: "http://proxy.invalid:1", except: nil))
        #expect(try await fault(of: "https://books.example/", unknown) == .proxy)
    }

    @Test(
        "a request that an HTTP/2 server leaves unprocessed when it ends the connection fails with a broken connection")
    func goingAway() async throws {
        let network = try TLSAndProxy()
        let route = TransferRoute(authorities: network.places.authority)
        #expect(try await fault(of: "https://127.0.0.1:\(network.places.goingAway)/", route) == .broken)
        _ = try network.stop()
    }

    @Test("an HTTP/2 connection on which a request has timed out is not used again")
    func deadConnection() async throws {
        let network = try TLSAndProxy()
        let engine = try engine(TransferRoute(authorities: network.places.authority))
        var request = TransferRequest(url: "https://127.0.0.1:\(network.places.stalling)/")
        #expect(try await engine.perform(request).status == 200)
        request.timeouts.firstByte = .milliseconds(200)
        await #expect(throws: TransferError.timedOut(.firstByte)) { try await engine.perform(request) }
        request.timeouts = TransferTimeouts()
        let answer = try await engine.perform(request)
        #expect(!answer.reusedConnection)
        await engine.shutdown()
        _ = try network.stop()
    }

    @Test("a host name that cannot be resolved is distinguished from a port with no listener")
    func names() async throws {
        #expect(try await fault(of: "https://books.invalid/", .direct) == .name)
        #expect(try await fault(of: "https://127.0.0.1:1/", .direct) == .unreachable)
    }
}

@Suite("Choosing requests for the proxy")
struct ProxyRuleTests {
    private static let proxy = "http://proxy.example:3128"

    @Test(
        "only https requests use the proxy, and hosts, domains, ports, addresses and networks can be excluded",
        arguments: [
            ("https://openlibrary.org/", nil, true), ("http://openlibrary.org/", nil, false),
            ("https://openlibrary.org/", "*", false),
            ("https://openlibrary.org/", "example.org, openlibrary.org", false),
            ("https://covers.openlibrary.org/", ".openlibrary.org", false),
            ("https://covers.openlibrary.org/", "openlibrary.org", false),
            ("https://notopenlibrary.org/", "openlibrary.org", true),
            ("https://openlibrary.org:8443/", "openlibrary.org:443", true),
            ("https://openlibrary.org/", "OpenLibrary.org:443", false),
            ("https://10.1.2.3/", "10.0.0.0/8", false), ("https://11.1.2.3/", "10.0.0.0/8", true),
            ("https://[fd00::1]/", "fd00::/8 10.0.0.0/8", false), ("https://[2001:db8::1]/", "[2001:db8::1]", false),
            ("https://openlibrary.org/", "10.0.0.0/99,/,:,", true),
            ("https://db.internal./", "internal", false), ("https://db.internal/", ".internal.", false),
            ("https://10.1.2.3./", "10.0.0.0/8", false), ("https://openlibrary.org/", ".", true),
        ] as [(String, String?, Bool)])
    func exceptions(url: String, except: String?, isProxied: Bool) throws {
        let rule = ProxyRule(proxy: Self.proxy, except: except)
        let target = try #require(Origin(url: url))
        #expect(rule.proxy(for: target) == (isProxied ? Self.proxy : nil))
    }

    @Test("an additional exclusion never sends more requests through the proxy")
    func exceptionsOnlyExcept() throws {
        let pieces = [
            "*", "openlibrary.org", ".org", "org", "10.0.0.0/8", "0.0.0.0/0", "::/0", "fd00::/8", "[fd00::1]", "[", "]",
            "/", "//", ":",
            "::", ":443", "/33", "/-1", "/129", ".", "..", "10.1.2", "1.2.3.4.5", "0x7f.1",
        ]
        let targets = try [
            "https://openlibrary.org/", "http://openlibrary.org/", "https://10.1.2.3/", "https://[fd00::1]:8443/",
            "https://org/",
        ].map { try #require(Origin(url: $0)) }
        var random = SeededGenerator(seed: 8)
        for _ in 0..<RandomText.inputs {
            let few = RandomText.text(of: pieces, using: &random)
            let more = RandomText.text(of: pieces, using: &random)
            let (rule, wider) = (
                ProxyRule(proxy: Self.proxy, except: few), ProxyRule(proxy: Self.proxy, except: "\(more),\(few)")
            )
            for target in targets {
                let isProxied = rule.proxy(for: target) != nil
                #expect(!isProxied || target.scheme == "https", "\(few.debugDescription)")
                #expect(
                    isProxied || wider.proxy(for: target) == nil, "\(few.debugDescription) and \(more.debugDescription)"
                )
            }
            let own = ProxyRule(proxy: Self.proxy, except: "\(few) openlibrary.org")
            #expect(own.proxy(for: targets[0]) == nil, "\(few.debugDescription)")
        }
    }

    @Test("without a configured proxy, no request uses a proxy")
    func direct() throws {
        let target = try #require(Origin(url: "https://openlibrary.org/"))
        #expect(ProxyRule.direct.proxy(for: target) == nil)
    }

    @Test(
        "private host names and addresses are recognized",
        arguments: [
            ("https://ia800100.us.archive.org/", true), ("https://8.8.8.8/", true), ("https://10.0.0.1/", false),
            ("https://2130706433/", false), ("https://0x7f.1/", false), ("https://[::1]/", false),
            ("https://localhost/", false),
            ("https://intranet/", false), ("https://db.internal/", false), ("https://printer.local/", false),
            ("https://archive.org./", true), ("https://8.8.8.8./", true), ("https://127.0.0.1./", false),
            ("https://localhost./", false), ("https://db.internal./", false), ("https://www.db。internal/", false),
            ("https://127.0.0.1.5/", false), ("https://0x7f.0x1./", false), ("https://db.internal../", false),
        ])
    func privateHosts(url: String, isPublic: Bool) throws {
        let target = try #require(Origin(url: url))
        #expect(target.namesPublicHost == isPublic)
    }
}
