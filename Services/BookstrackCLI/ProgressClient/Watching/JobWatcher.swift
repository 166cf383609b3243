package import BookstrackContract
package import NIOCore
import NIOHTTP1
import NIOPosix

/// Follows a job to its end over a WebSocket, across dropped connections (`since=`, websocket.md "Connection lifetime").
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

    /// Watches until the job's terminal frame. Throws when the first connection cannot be made, when the server refuses for
    /// good, and when too many tries in a row have failed.
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
    /// For watching: a server that sends neither frame nor ping for 75 s, over twice its own interval, is gone.
    package static var watching: SocketOptions {
        var options = SocketOptions()
        options.silenceLimit = .seconds(75)
        return options
    }
}

extension ProgressFrame {
    /// Whether everything up to `seq` is known once this frame has been taken.
    fileprivate var marksPosition: Bool {
        switch content {
        case .started, .progress, .complete, .failed, .reconnected: true
        case .ping, .other: false
        }
    }
}
