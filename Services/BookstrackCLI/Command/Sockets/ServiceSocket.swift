import JSONRPC
import Logging
import NIOPosix
import ServiceKit
import SuiteMethods

/// One service's Unix socket, for single calls.
struct ServiceSocket {
    private static let connectLimit = Duration.seconds(2)

    let service: ServiceInstance
    /// Path of the socket.
    let path: String

    /// Where the settings put the service's socket.
    init(_ service: ServiceInstance, in directories: SuiteDirectories) {
        self.service = service
        path = directories.socket(of: service)
    }

    /// Connects, makes one call, and leaves. Throws `ServiceFailure` when there is no answer.
    func call<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) async throws(ServiceFailure) -> Method.Result {
        switch UnixSocketProbe.look(at: path) {
        case .listening: break
        case .absent: throw ServiceFailure(service, at: path, .absent)
        case .abandoned: throw ServiceFailure(service, at: path, .abandoned)
        case .forbidden: throw ServiceFailure(service, at: path, .forbidden)
        }
        let quiet = Logger(label: "bookstrack") { _ in SwiftLogNoOpLogHandler() }
        let client = RPCClient(
            path: path, router: RPCRouter(), group: MultiThreadedEventLoopGroup.singleton, logger: quiet,
            pingInterval: nil)
        let running = Task { await client.run() }
        defer { running.cancel() }
        do throws(RPCError) {
            try await client.waitUntilConnected(within: Self.connectLimit)
            return try await client.call(method, parameters)
        } catch {
            let process = UnixSocketProbe.listener(at: path).flatMap { ProcessState(pid: $0) }
            throw ServiceFailure(service, at: path, error, process: process)
        }
    }
}
