import Foundation
import JSONRPC
import Logging
import NIOCore
import NIOPosix
import Observability
import SuiteMethods

/// Follows one service, and reconnects if the connection is lost.
struct ServiceTail {
    let service: ServiceInstance
    /// Path of the service's socket.
    let path: String
    let start: TailFollowing
    var connectLimit = Duration.seconds(2)
    /// Waits before the next attempt.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Reports updates until it gives up on the service or the task is cancelled. While `tell` runs, at most ``TailConnection/maxBatches`` batches
    /// are read ahead.
    func run(_ tell: (TailUpdate) async -> Void) async {
        var following = start
        while !Task.isCancelled {
            let loss = await follow(&following, tell)
            if Task.isCancelled { return }
            let update = following.lost(loss)
            await tell(update)
            guard case .lost(_, let wait, _) = update else { return }
            do { try await pause(wait) } catch { return }
        }
    }

    private func follow(_ following: inout TailFollowing, _ tell: (TailUpdate) async -> Void) async -> TailUpdate.Loss {
        var current = following
        defer { following = current }
        do throws(TailUpdate.Loss) {
            try await TailConnection(path: path, connectLimit: connectLimit).follow(
                current.parameters,
                attached: { await tell(current.attached($0)) },
                take: { await tell(current.take($0)) })
            return .closed
        } catch {
            return error
        }
    }
}

/// One connection to a service's tail.
struct TailConnection {
    /// Maximum number of unprocessed batches. Once it is reached, nothing is read until a batch is processed, and the service may drop events.
    static let maxBatches = 16

    /// Path of the service's socket.
    let path: String
    /// Maximum time to connect.
    let connectLimit: Duration

    private struct Arrived {
        let json: ByteBuffer
        let taken: RPCReply<Nothing>
    }

    /// Subscribes, and passes on events until the connection ends or the task is cancelled. Always ends by throwing `TailUpdate.Loss`.
    func follow(
        _ parameters: SubscribeToTail.Parameters,
        attached: (SubscribeToTail.Result) async -> Void, take: (TailEvents.Parameters) async -> Void
    ) async throws(TailUpdate.Loss) {
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
                    "it sends events that this version of bookstrack does not understand; use the service's version")
            }
            await take(events)
            batch.taken.succeed(Nothing())
        }
        throw .closed
    }

    /// A client that handles notifications like requests: each counts against the request limit until it is processed, and the connection is not read
    /// while the limit is reached.
    private func client(_ arriving: AsyncStream<Arrived>.Continuation) -> RPCClient {
        var router = RPCRouter()
        router.handleRawInline(TailEvents.name, answering: Nothing.self) { json, _, taken in
            arriving.yield(Arrived(json: ByteBuffer(bytes: json.readableBytesView), taken: taken))
        }
        var limits = RPCLimits()
        limits.maximumInFlightInbound = Self.maxBatches
        return RPCClient(
            path: path, router: router, limits: limits, group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "bookstrack") { _ in SwiftLogNoOpLogHandler() })
    }

    private func checkSocket() throws(TailUpdate.Loss) {
        guard access(path, R_OK | W_OK) != 0 else { return }
        throw .notReached(errno == EACCES ? "no permission for \(path)" : "there is no \(path)")
    }

    private static func loss(_ error: any Error) -> TailUpdate.Loss {
        switch (error as? RPCError)?.kind {
        case .remote(RPCErrorCode.methodNotFound, _, _)?: .refused("its version does not support tail")
        case .remote(RPCErrorCode.invalidParameters, let message, _)?:
            .refused("it rejects the options: \(message)")
        case .remote(_, let message, _)?: .notReached(message)
        case .connectionLost?: .closed
        case .protocolViolation?:
            .refused("its response could not be understood; use the service's version of bookstrack")
        default: .notReached("it does not answer")
        }
    }
}

/// An update about a followed service.
enum TailUpdate {
    /// Why a service cannot be followed.
    enum Loss: Error, Equatable {
        /// The service cannot be reached, or answers with an error that may pass, for this reason.
        case notReached(String)
        /// The connection ended.
        case closed
        /// The service cannot be followed, for this reason; another attempt would have the same result.
        case refused(String)
    }

    /// The service is being followed. `before` is the ID of the process that was followed previously; nil if there was none.
    case attached(SubscribeToTail.Result, before: Int32?)
    /// Events, and how many were lost before them.
    case events([TailEvent], dropped: Int)
    /// The service cannot be followed at the moment; another attempt will be made.
    case lost(Loss, again: Duration, attempt: Int)
    /// The service cannot be followed, and no further attempt will be made.
    case givenUp(Loss)
}

/// Messages about the tail itself.
enum TailText {
    static func dropped(_ count: Int, of service: ServiceInstance) -> String {
        "… \(CountText.text(count, "event")) of \(service.name) dropped: this reader is too slow"
    }

    /// The message for standard error; nil for updates without one.
    static func note(_ update: TailUpdate, of service: ServiceInstance) -> StyledText? {
        let name = service.name
        switch update {
        case .attached(let answer, nil):
            return StyledText("Following \(name) \(process(answer))", .dim)
        case .attached(let answer, let before?):
            let what = answer.pid == before ? "the same process" : "it was restarted"
            return StyledText("Following \(name) again: \(what) \(process(answer))", .green)
        case .events: return nil
        case .lost(let loss, let wait, let attempt):
            let tries = "retrying in \(wait.components.seconds) s (\(attempt) of \(ReattachSchedule.waits.count))"
            return StyledText("\(reason(loss, name)); \(tries)", .yellow)
        case .givenUp(let loss):
            return StyledText("bookstrack: \(reason(loss, name)); no longer following it", .red)
        }
    }

    private static func process(_ answer: SubscribeToTail.Result) -> String {
        "(\(UntrustedText.line(answer.version)), pid \(answer.pid))"
    }

    private static func reason(_ loss: TailUpdate.Loss, _ name: String) -> String {
        switch loss {
        case .notReached(let reason): "\(name) is not available: \(UntrustedText.line(reason))"
        case .closed: "\(name) closed the connection"
        case .refused(let reason): "\(name) cannot be followed: \(UntrustedText.line(reason))"
        }
    }
}
