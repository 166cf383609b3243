import Foundation
import JSONRPC
import Logging
import NIOCore
import NIOPosix
import SuiteMethods

/// One connection to a service's tail, from its making to its end.
struct TailConnection {
    /// Batches that are read before the first of them is taken. Beyond, nothing is read, and it is the service that drops.
    static let mostBatches = 16

    /// Path of the service's socket.
    let path: String
    /// How long a connection may take until the service has shown that it lives.
    let connectLimit: Duration

    private struct Arrived {
        let json: ByteBuffer
        let taken: RPCReply<Nothing>
    }

    /// Subscribes, and hands on what arrives until the connection ends or the task is cancelled. Throws `TailNews.Loss`.
    func follow(
        _ parameters: SubscribeToTail.Parameters,
        attached: (SubscribeToTail.Result) async -> Void, take: (TailEvents.Parameters) async -> Void
    ) async throws(TailNews.Loss) {
        try checkSocket()
        let (batches, arriving) = AsyncStream.makeStream(of: Arrived.self)
        let client = client(arriving)
        let running = Task { await client.run() }
        defer { running.cancel() }
        do {
            try await client.waitUntilConnected(within: connectLimit)
            guard let connection = client.connection else { throw RPCError.connectionLost }
            connection.closed.whenComplete { _ in arriving.finish() }
            await attached(try await connection.call(SubscribeToTail.self, parameters))
        } catch {
            throw Self.loss(error)
        }
        for await batch in batches {
            guard let events = try? BodyCoding.decode(TailEvents.Parameters.self, from: batch.json) else {
                throw .refused(
                    "it sends events that this version of bookstrack does not understand; use the same version")
            }
            await take(events)
            batch.taken.succeed(Nothing())
        }
        throw .closed
    }

    /// A notification that runs in a request's handler counts against the bound of requests until that is answered, and at the bound
    /// the connection is not read.
    private func client(_ arriving: AsyncStream<Arrived>.Continuation) -> RPCClient {
        var router = RPCRouter()
        router.handleRawInline(TailEvents.name, answering: Nothing.self) { json, _, taken in
            arriving.yield(Arrived(json: ByteBuffer(bytes: json.readableBytesView), taken: taken))
        }
        var limits = RPCLimits()
        limits.maximumInFlightInbound = Self.mostBatches
        return RPCClient(
            path: path, router: router, limits: limits, group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "bookstrack") { _ in SwiftLogNoOpLogHandler() })
    }

    private func checkSocket() throws(TailNews.Loss) {
        guard access(path, R_OK | W_OK) != 0 else { return }
        throw .notReached(errno == EACCES ? "no permission for \(path)" : "there is no \(path)")
    }

    private static func loss(_ error: any Error) -> TailNews.Loss {
        switch (error as? RPCError)?.kind {
        case .remote(RPCErrorCode.methodNotFound, _, _)?: .refused("its version has no tail")
        case .remote(RPCErrorCode.invalidParameters, let message, _)?:
            .refused("it rejects the options: \(message)")
        case .remote(_, let message, _)?: .notReached(message)
        case .connectionLost?: .closed
        case .protocolViolation?: .refused("its response is not understood; use the same version of bookstrack")
        default: .notReached("it does not answer")
        }
    }
}
