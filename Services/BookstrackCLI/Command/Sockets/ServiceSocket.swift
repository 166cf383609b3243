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

    /// Connects, makes one call, and leaves. Throws `CommandFailure` with status 69 when there is no answer.
    func call<Method: RPCMethod>(_ method: Method.Type, _ parameters: Method.Parameters) async throws -> Method.Result {
        switch UnixSocketProbe.look(at: path) {
        case .listening: break
        case .absent: throw failure("there is no such socket")
        case .abandoned: throw failure("nobody listens there")
        case .forbidden: throw failure("this user may not connect")
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
            guard case .remote = error.kind else { throw failure("\(error)") }
            throw CommandFailure(.unavailable, "\(service.name) could not do it (\(error)); its log says why")
        }
    }

    private func failure(_ reason: String) -> CommandFailure {
        CommandFailure(
            .unavailable,
            "\(service.name) does not answer at \(path) (\(reason)); start it, or let BOOKSTRACK_RUNTIME_DIR name its directory"
        )
    }
}
