import BookstrackClient
import BookstrackContract
import Foundation
import SuiteFixture
import TestSupport
import Testing
import WireClient

/// The library and the command line, connected through a TLS server (Python's `ssl`, which uses OpenSSL) whose
/// certificate is issued by a private authority for the names `books.example` and `127.0.0.1`.
@Suite("The Swift client over TLS", .serialized)
struct TLSClientTests {
    private static func run(_ body: (SuiteFixture.Suite, TLSAndProxy) async throws -> Void) async throws {
        let network = try TLSAndProxy()
        try await SuiteFixture.Suite.run { suite in
            try network.passOn(to: "http://127.0.0.1:\(suite.address.port)")
            try await body(suite, network)
        }
        _ = try network.stop()
    }

    private static func client(
        _ network: TLSAndProxy, host: String = "127.0.0.1", trusted: Bool = true,
        _ transports: [EventTransport] = EventTransport.allCases
    ) throws -> BookstrackClient {
        let url = try #require(URL(string: "https://\(host):\(network.places.tunnel)"))
        var policy = FollowPolicy()
        policy.transports = transports
        let transport =
            trusted
            ? NetworkTransport(baseURL: url, authorities: network.places.authority) : NetworkTransport(baseURL: url)
        return BookstrackClient(transport: transport, policy: policy)
    }

    @Test("calls, WebSockets, event streams and polling work through a server with a valid certificate")
    func good() async throws {
        try await Self.run { _, network in
            for transport in EventTransport.allCases {
                let client = try Self.client(network, [transport])
                #expect(try await client.search(isbn: "9780743273565").resultCount == 1)
                let job = try await client.startEnrichment(isbns: ["9780743273565", "9780000000002"])
                let connected = Connected()
                let last = try await client.events(of: job.jobId) { connected.add($0) }.last()
                #expect(last.isLast)
                #expect(connected.transports == [transport])
                #expect(try await client.results(of: job.jobId).successCount == 1)
            }
        }
    }

    /// A reason not to trust a server.
    enum Fault: CaseIterable {
        case otherName, unknownAuthority

        var text: String {
            switch self {
            case .otherName: "is for another name"
            case .unknownAuthority: "not signed by a trusted authority"
            }
        }
    }

    @Test(
        "a certificate for another name or from an unknown authority is rejected with a dedicated error code",
        arguments: Fault.allCases)
    func refused(fault: Fault) async throws {
        try await Self.run { suite, network in
            let client = try Self.client(
                network, host: fault == .otherName ? "localhost" : "127.0.0.1", trusted: fault == .otherName)
            let error = await #expect(throws: BookstrackError.self) { try await client.search(isbn: "9780743273565") }
            #expect(error?.code == .serverUntrusted)
            #expect(error?.message.contains(fault.text) == true, "\(String(describing: error))")
            #expect(error?.isRetryable == false)
            // A call that would send a token fails with the same error.
            let job = try await suite.api.start(EnrichmentBatchRequest(books: [BookQuery(isbn: "9780743273565")]))
            try await client.tokens.save(job.token, of: job.jobId)
            await #expect {
                _ = try await client.events(of: job.jobId).last()
            } throws: {
                ($0 as? BookstrackError)?.code == .serverUntrusted
            }
        }
    }

    @Test("concurrent calls to an untrusted server all fail with the same error code")
    func manyRefused() async throws {
        try await Self.run { _, network in
            let client = try Self.client(network, trusted: false)
            let codes = await withTaskGroup(of: BookstrackError.Code?.self) { calls in
                for _ in 0..<200 {
                    calls.addTask {
                        do {
                            _ = try await client.search(isbn: "9780743273565")
                            return nil
                        } catch { return (error as? BookstrackError)?.code }
                    }
                }
                return await calls.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(codes == [.serverUntrusted])
        }
    }

    @Test("a server without TLS is not reported as a certificate fault")
    func plain() async throws {
        try await SuiteFixture.Suite.run { suite in
            let url = try #require(URL(string: "https://127.0.0.1:\(suite.address.port)"))
            let client = BookstrackClient(baseURL: url)
            let error = await #expect(throws: BookstrackError.self) { try await client.search(isbn: "9780743273565") }
            #expect(error?.code == .connectionFailed)
            #expect(error?.message == "\(url) does not speak TLS")
        }
    }

    @Test("the command line searches, enriches, imports and watches at an https URL")
    func commandLine() async throws {
        try await Self.run { suite, network in
            let trust = ["SSL_CERT_FILE": network.places.authority]
            let url = ["--url", "https://127.0.0.1:\(network.places.tunnel)"]
            let found = try await suite.bookstrack(
                ["search", "isbn", "9780743273565", "--json"] + url, environment: trust)
            #expect(found.status == 0, "\(found.errors)")
            #expect(found.output.contains("The Great Gatsby"))
            let list = try await suite.bookstrack(["enrich", "9780743273565", "--json"] + url, environment: trust)
            #expect(list.status == 0, "\(list.errors)")
            let library = suite.directory.appending(path: "library.csv")
            try Data("Title,Author\nJane Eyre,Charlotte Brontë\n".utf8).write(to: library)
            let imported = try await suite.bookstrack(["import", library.path] + url, environment: trust)
            #expect(imported.status == 0, "\(imported.errors)")
            let job = try #require(imported.errors.firstMatch(of: /bookstrack results ([0-9a-f]{8})/)).1
            let watched = try await suite.bookstrack(["watch", String(job), "--json"] + url, environment: trust)
            #expect(watched.status == 0, "\(watched.errors)")
            #expect(watched.output.contains(#""type":"job_complete""#))
        }
    }

    @Test("the command line explains why it does not trust a server and suggests what to do")
    func untrustedCommandLine() async throws {
        try await Self.run { suite, network in
            let port = network.places.tunnel
            let unknown = try await suite.bookstrack(
                "search", "isbn", "9780743273565", "--url", "https://127.0.0.1:\(port)")
            #expect(unknown.status == 76)
            #expect(
                unknown.errors.contains(
                    "not signed by a trusted authority; if you trust its certificate authority, set"))
            let named = try await suite.bookstrack(
                ["enrich", "9780743273565", "--url", "https://localhost:\(port)"],
                environment: ["SSL_CERT_FILE": network.places.authority])
            #expect(named.status == 76)
            #expect(named.errors.contains("the certificate of https://localhost:\(port) is for another name"))
        }
    }
}

/// The transports that connected. Sendable because the list is only accessed while the lock is held.
private final class Connected: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [EventTransport] = []

    var transports: [EventTransport] { lock.withLock { list } }

    func add(_ status: ConnectionStatus) {
        if case .connected(let transport) = status { lock.withLock { list.append(transport) } }
    }
}
