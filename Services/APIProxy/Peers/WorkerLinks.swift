import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import ServiceKit
import ServiceLifecycle
import SuiteMethods

/// The connections to the workers on this machine. Each worker listens on its own socket in the runtime directory, which is searched for new workers.
///
/// A call goes to the first connected worker, starting with `main`; if that connection is lost, the call goes to the next worker.
final class WorkerLinks: Service {
    /// One worker and the connection to it.
    struct Link: Sendable {
        let instance: ServiceInstance
        let client: RPCClient
        fileprivate let running: Task<Void, Never>
    }

    /// Interval between searches for new workers, the same as the ping interval (http-api.md "Readiness").
    private static let interval = Duration.seconds(2)

    private let sockets: SuiteSockets
    private let group: any EventLoopGroup
    private let logger: Logger
    private let state = NIOLockedValueBox<[ServiceInstance: Link]>([:])

    init(sockets: SuiteSockets, group: any EventLoopGroup, logger: Logger) {
        self.sockets = sockets
        self.group = group
        self.logger = logger
    }

    /// The known workers, in the order in which they are called.
    var links: [Link] {
        state.withLockedValue { Array($0.values) }.sorted { $0.instance.worker ?? .main < $1.instance.worker ?? .main }
    }

    /// Whether any worker is connected.
    var isConnected: Bool { links.contains { $0.client.isConnected } }

    /// Searches for workers until a graceful shutdown, then closes all connections.
    func run() async {
        try? await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                look()
                try await Task.sleep(for: Self.interval)
            }
        }
        let links = state.withLockedValue { links in
            defer { links = [:] }
            return Array(links.values)
        }
        for link in links { await link.client.shutdown() }
        for link in links { await link.running.value }
    }

    /// Connects to new workers, and drops those whose sockets are gone; the link to `main` is always kept.
    func look() {
        let gone = state.withLockedValue { links in
            // Read under the lock, since a concurrent search must not drop a worker with an older listing.
            let found = Set(SuiteDirectories.workers(in: sockets.directory))
            for instance in found where links[instance] == nil { links[instance] = link(to: instance) }
            let gone = links.values.filter { !found.contains($0.instance) }
            for link in gone { links[link.instance] = nil }
            return gone
        }
        for link in gone { Task { await link.client.shutdown() } }
    }

    private func link(to instance: ServiceInstance) -> Link {
        let client = RPCClient(path: sockets.path(of: instance), router: RPCRouter(), group: group, logger: logger)
        return Link(instance: instance, client: client, running: Task { await client.run() })
    }

    /// Like `RPCClient.call`, on the first connected worker.
    ///
    /// - Throws: `RPCError`; `notConnected` if no worker is connected, or if every connection is lost during the call.
    func call<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) async throws(RPCError) -> Method.Result {
        try await ask { client throws(RPCError) in try await client.call(method, parameters) }
    }

    /// Like `RPCClient.callRaw`, on the first connected worker.
    ///
    /// - Throws: `RPCError`; `notConnected` if no worker is connected, or if every connection is lost during the call.
    func callRaw(_ name: String, _ parameters: ByteBuffer, deadline: Duration) async throws(RPCError) -> ByteBuffer {
        let end = ContinuousClock.now + deadline
        return try await ask { client throws(RPCError) in
            try await client.callRaw(name, parameters, deadline: end - .now)
        }
    }

    /// Makes a call on the first connected worker, and repeats it on the next one if the connection is lost; all methods that are called this way are
    /// idempotent.
    private func ask<Answer: Sendable>(
        _ body: (RPCClient) async throws(RPCError) -> Answer
    ) async throws(RPCError) -> Answer {
        for link in links where link.client.isConnected {
            do throws(RPCError) {
                return try await body(link.client)
            } catch {
                guard error == .notConnected || error == .connectionLost else { throw error }
            }
        }
        throw .notConnected
    }
}

/// The locations of the suite's Unix sockets.
struct SuiteSockets: Sendable {
    /// The runtime directory.
    var directory: String

    /// The socket on which api-proxy hands over its listening sockets.
    var handover: String { "\(directory)/api-proxy.handover" }

    func path(of instance: ServiceInstance) -> String { "\(directory)/\(instance.socketName)" }
}
