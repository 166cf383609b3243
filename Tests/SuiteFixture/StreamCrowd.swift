import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore
package import WireClient

/// Many clients that each watch a job on an event stream, reconnect if they lose it, and count the events they receive.
package final class StreamCrowd: WatcherCrowd {
    fileprivate struct Member {
        let path: String
        /// For a slow reader: returns when the reader may start reading.
        let start: (@Sendable () async -> Void)?
        var channel: (any Channel)?
        var lastSeq: Int?
        /// Whether the client's job has ended.
        var isOver = false
    }

    fileprivate struct State {
        var counts = CrowdCounts()
        var members: [Member] = []
        var isLeaving = false
    }

    private let address: ServerAddress
    private let state = NIOLockedValueBox(State())

    package init(_ address: ServerAddress) { self.address = address }

    package var counts: CrowdCounts { state.withLockedValue(\.counts) }

    package func join(_ paths: [String], readingFrom start: (@Sendable () async -> Void)?) {
        let numbers = state.withLockedValue { state in
            state.members += paths.map { Member(path: $0, start: start) }
            return state.members.indices.suffix(paths.count)
        }
        for number in numbers { connect(number) }
    }

    package func leave() async {
        let channels = state.withLockedValue { state in
            state.isLeaving = true
            return state.members.compactMap(\.channel)
        }
        for channel in channels { try? await channel.close() }
    }

    private func connect(_ number: Int) {
        let member = state.withLockedValue { $0.isLeaving ? nil : $0.members[number] }
        guard let member else { return }
        EventStreamReader.connect(to: address, path: member.path, after: member.lastSeq) {
            self.take($1, of: number, on: $0)
        }.whenComplete { outcome in
            switch outcome {
            case .success(let channel): self.state.withLockedValue { $0.members[number].channel = channel }
            case .failure(let error): self.refused("\(error)", number)
            }
        }
    }

    private func take(_ step: EventStreamReader.Step, of number: Int, on channel: any Channel) {
        switch step {
        case .opened:
            state.withLockedValue { $0.counts.open += 1 }
            holdBack(number, channel)
        case .refused(let status): refused("\(status)", number)
        case .unanswered: refused("no response", number)
        case .event(let event): state.withLockedValue { $0.note(event, of: number) }
        case .ended(let retry): left(number, retry: retry, isWhole: true)
        case .lost: left(number, retry: nil, isWhole: false)
        }
    }

    /// Stops reading on a slow reader's connection until the reader's `start` returns.
    private func holdBack(_ number: Int, _ channel: any Channel) {
        guard let start = state.withLockedValue({ $0.members[number].start }) else { return }
        channel.setOption(.autoRead, value: false).whenSuccess {
            Task {
                await start()
                try? await channel.setOption(.autoRead, value: true).get()
                channel.read()
            }
        }
    }

    private func left(_ number: Int, retry: Int?, isWhole: Bool) {
        let comesBack = state.withLockedValue { state in
            state.counts.open -= 1
            state.counts.ends[isWhole ? Self.code(retry: retry) : nil, default: 0] += 1
            return !state.members[number].isOver
        }
        if comesBack { again(number, in: retry.map { .milliseconds(Int64($0)) }) }
    }

    /// The close code that a socket would have received: the reconnection time distinguishes a restart from an overload
    /// (streams.md "Server-sent events").
    private static func code(retry: Int?) -> UInt16 {
        guard let retry else { return CloseCode.normal.rawValue }
        return retry < 30_000 ? CloseCode.serviceRestart.rawValue : CloseCode.tryAgainLater.rawValue
    }

    private func refused(_ reason: String, _ number: Int) {
        state.withLockedValue { $0.counts.refusals[reason, default: 0] += 1 }
        again(number)
    }

    /// Connects a client again, by default after a random delay, so the clients do not all reconnect at the same time.
    private func again(_ number: Int, in pause: Duration? = nil) {
        Task {
            try? await Task.sleep(for: pause ?? .milliseconds(.random(in: 100...500)))
            self.connect(number)
        }
    }
}

extension StreamCrowd.State {
    fileprivate mutating func note(_ event: EventStreamReader.Event, of number: Int) {
        guard event.type != "reconnected" else {
            counts.reconnected += 1
            return
        }
        if let seq = event.id.flatMap({ Int($0) }) {
            if let last = members[number].lastSeq, seq <= last {
                if !event.isKeepAlive { counts.misplaced += 1 }
                return
            }
            members[number].lastSeq = seq
        }
        switch event.type {
        case "job_progress": counts.progress += 1
        case "job_complete":
            counts.completed += 1
            members[number].isOver = true
        case "job_error": members[number].isOver = true
        default: break
        }
    }
}

extension EventStreamReader.Event {
    /// Whether the event repeats the number of the newest event because nothing has happened.
    fileprivate var isKeepAlive: Bool { String(buffer: data).contains(#""keepAlive":true"#) }
}
