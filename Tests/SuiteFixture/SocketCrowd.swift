import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore
package import WireClient

/// Many clients that each watch a job on the progress socket, reconnect if they lose the connection, and count the
/// frames they receive.
package final class SocketCrowd: WatcherCrowd {
    private struct State {
        var counts = CrowdCounts()
        var sockets: [Int: ProgressSocket] = [:]
    }

    private let address: ServerAddress
    private let state = NIOLockedValueBox(State())
    private let clients = NIOLockedValueBox<[Task<Void, Never>]>([])

    package init(_ address: ServerAddress) { self.address = address }

    package var counts: CrowdCounts { state.withLockedValue { $0.counts } }

    /// Adds a client for each path. If `start` is given, each client reads only about two messages before `start` returns.
    package func join(_ paths: [String], readingFrom start: (@Sendable () async -> Void)?) {
        let members = clients.withLockedValue { $0.count }
        let tasks = paths.enumerated().map { index, path in
            Task { await self.watch(path, as: members + index, readingFrom: start) }
        }
        clients.withLockedValue { $0 += tasks }
    }

    /// Sends an application ping on every socket that is open.
    package func ping() async {
        for socket in state.withLockedValue({ Array($0.sockets.values) }) {
            try? await socket.send(text: #"{"type":"ping"}"#)
        }
    }

    /// Closes every socket without a handshake.
    package func leave() async {
        let tasks = clients.withLockedValue { $0 }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func watch(_ path: String, as member: Int, readingFrom start: (@Sendable () async -> Void)?) async {
        var again = ""
        while !Task.isCancelled {
            do {
                let socket = try await ProgressSocket.connect(
                    to: address, path: path + again, maximumWaitingEvents: start == nil ? 256 : 2)
                state.withLockedValue { state in
                    state.counts.open += 1
                    state.sockets[member] = socket
                }
                if again.isEmpty { try? await socket.send(text: #"{"type":"ready"}"#) }
                again = "&reconnect=true"
                await start?()
                let isOver = await follow(socket)
                state.withLockedValue { state in
                    state.counts.open -= 1
                    state.sockets[member] = nil
                }
                if isOver { return }
            } catch {
                state.withLockedValue { $0.counts.refusals[Self.reason(error), default: 0] += 1 }
                // A random delay, as in shipped clients, so the crowd's clients do not all reconnect at the same time.
                try? await Task.sleep(for: .milliseconds(.random(in: 100...500)))
            }
        }
    }

    /// Reads a socket to its end and returns whether its job has ended.
    private func follow(_ socket: ProgressSocket) async -> Bool {
        var isOver = false
        await withTaskCancellationHandler {
            for await event in socket.events {
                isOver = note(event) || isOver
            }
        } onCancel: {
            Task { await socket.cut() }
        }
        return isOver
    }

    private func note(_ event: SocketEvent) -> Bool {
        let text = event.message.map { String(buffer: $0).prefix(64) }
        return state.withLockedValue { state in
            if case .closed(let code) = event.kind { state.counts.ends[code, default: 0] += 1 }
            guard let text else { return false }
            // `type` is the first member of every frame.
            if text.hasPrefix(#"{"type":"job_progress""#) { state.counts.progress += 1 }
            if text.hasPrefix(#"{"type":"pong""#) { state.counts.pongs += 1 }
            if text.hasPrefix(#"{"type":"reconnected""#) { state.counts.reconnected += 1 }
            if text.hasPrefix(#"{"type":"job_complete""#) { state.counts.completed += 1 }
            return text.hasPrefix(#"{"type":"job_complete""#) || text.hasPrefix(#"{"type":"error""#)
        }
    }

    private static func reason(_ error: ClientFailure) -> String {
        if case .upgradeRefused(let answer) = error { "\(answer.status)" } else { "\(error)" }
    }
}
