package import BookstrackContract
package import NIOCore
import NIOHTTP1
import NIOPosix

/// Follows a job to its end over a WebSocket, and reconnects if necessary (`since=`, websocket.md "Connection lifetime").
package struct JobWatcher: Sendable {
    private let address: ServerAddress
    private let job: JobID
    private let token: String
    private let options: SocketOptions
    private let group: any EventLoopGroup
    private let policy: ReconnectPolicy
    private let pause: @Sendable (Duration) async throws -> Void

    /// `pause` waits between two connections.
    package init(
        address: ServerAddress, job: JobID, token: String, options: SocketOptions = .watching,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, policy: ReconnectPolicy = .init(),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.address = address
        self.job = job
        self.token = token
        self.options = options
        self.group = group
        self.policy = policy
        self.pause = pause
    }

    /// Watches until the job's last frame. Throws if the first connection fails, if the server refuses
    /// permanently, and after too many failed tries in a row.
    package func watch(_ onUpdate: (WatchUpdate) async -> Void) async throws(ClientFailure) -> JobEnding {
        var policy = policy
        var random = SystemRandomNumberGenerator()
        var lastSeq: Int?
        while true {
            let interruption: Interruption
            do {
                let before = lastSeq
                let outcome = try await watchOnce(&lastSeq, onUpdate)
                if before != lastSeq { policy.reset() }
                switch outcome {
                case .ended(let ending): return ending
                case .interrupted(let reason): interruption = reason
                }
            } catch {
                guard let refusal = Interruption(error, isFirst: lastSeq == nil) else { throw error }
                interruption = refusal
            }
            guard let delay = policy.next(atLeast: interruption.atLeast, using: &random) else {
                throw .unreachable(address: "\(address)", reason: "gave up: \(interruption.reason)")
            }
            await onUpdate(.interrupted(reason: interruption.reason, retryIn: delay))
            do { try await pause(delay) } catch { throw .cancelled }
        }
    }

    private enum Outcome {
        case ended(JobEnding)
        case interrupted(Interruption)
    }

    private func watchOnce(
        _ lastSeq: inout Int?, _ onUpdate: (WatchUpdate) async -> Void
    ) async throws(ClientFailure) -> Outcome {
        let socket = try await ProgressSocket.connect(
            to: address, path: path(since: lastSeq), options: authorized, group: group)
        try? await socket.send(text: #"{"type":"ready"}"#)
        for await event in socket.events {
            switch event.kind {
            case .text(let bytes), .binary(let bytes):
                let frame = try ProgressFrame(bytes)
                if case .ping = frame.content { try? await socket.send(text: #"{"type":"pong"}"#) }
                if frame.marksPosition { lastSeq = frame.seq }
                await onUpdate(.frame(bytes, frame))
                if let ending = frame.ending {
                    try? await socket.close()
                    return .ended(ending)
                }
            case .closed(let code, let reason):
                return .interrupted(try Interruption(closedWith: code, reason: reason))
            case .ping, .pong: break
            }
        }
        throw .cancelled
    }

    private func path(since: Int?) -> String {
        APIPath.websocket(job) + (since.map { "&reconnect=true&since=\($0)" } ?? "")
    }

    private var authorized: SocketOptions {
        var options = options
        options.headers.replaceOrAdd(name: "Authorization", value: "Bearer \(token)")
        return options
    }
}

extension SocketOptions {
    /// Options for watching: a server that sends neither frame nor ping for 75 s, over twice its own interval, counts as gone.
    package static var watching: SocketOptions {
        var options = SocketOptions()
        options.silenceLimit = .seconds(75)
        return options
    }
}

extension ProgressFrame {
    /// Whether everything up to `seq` is known after this frame.
    fileprivate var marksPosition: Bool {
        switch content {
        case .started, .progress, .complete, .failed, .reconnected, .photos, .photosCancelled: true
        case .ping, .other: false
        }
    }
}

/// An update from a watcher.
package enum WatchUpdate: Sendable {
    /// A frame, as received and decoded.
    case frame(ByteBuffer, ProgressFrame)
    /// The connection is lost, or was refused temporarily; the next try is in `retryIn`.
    case interrupted(reason: String, retryIn: Duration)
}

/// How a watched job ended.
package enum JobEnding: Sendable, Equatable {
    case completed(JobCompletePayload)
    case failed(JobErrorPayload)
    case cancelled
}

/// Why a watcher has to reconnect.
struct Interruption {
    var reason: String
    /// Minimum delay before the next try.
    var atLeast = Duration.zero

    /// A closed socket; throws for close codes after which reconnecting is useless (websocket.md "Close codes").
    init(closedWith code: UInt16?, reason: String) throws(ClientFailure) {
        switch code {
        case 1002, 1003, 1007, 1008, 1009, 1010:
            throw .malformed("the server closed the socket with \(code ?? 0) \(reason)")
        case 1012: self.reason = "the server is restarting"
        case 1013:
            self.reason = "the server is overloaded"
            atLeast = .seconds(30)
        case let code?: self.reason = "the connection was closed with \(code) \(reason)"
        case nil: self.reason = reason.isEmpty ? "the connection was lost" : reason
        }
    }

    /// A failed connection; nil if another try is useless. The first connection is only retried if the server is busy.
    init?(_ failure: ClientFailure, isFirst: Bool) {
        switch failure {
        case .upgradeRefused(let answer) where [429, 502, 503, 504].contains(answer.status):
            reason = APIRefusal(answer).obstacle
            atLeast = .seconds(answer.retryAfterSeconds ?? 0)
        case .unreachable, .timedOut, .closedEarly:
            guard !isFirst else { return nil }
            reason = failure.description
        default: return nil
        }
    }
}

/// When to reconnect: after 1, 2, 4, 8, 16, then always 30 s, each with up to a quarter more (websocket.md "Connection lifetime").
package struct ReconnectPolicy: Sendable {
    /// Maximum number of failed tries in a row.
    private let limit: Int
    private var tries = 0

    package init(limit: Int = 12) { self.limit = limit }

    /// The delay before the next try, at least `atLeast` if the server requested it; nil if the maximum is reached.
    package mutating func next(
        atLeast floor: Duration = .zero, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard tries < limit else { return nil }
        let base = tries < 5 ? Duration.seconds(1 << tries) : .seconds(30)
        tries += 1
        return max(base, floor) + base * Double.random(in: 0..<0.25, using: &random)
    }

    /// Restarts the schedule: the connection works again.
    package mutating func reset() { tries = 0 }
}
