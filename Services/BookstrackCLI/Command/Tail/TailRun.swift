import Dispatch
import Observability
import SuiteMethods

/// Follows services, merges their events, and writes them.
struct TailRun {
    /// How long an event is delayed to let earlier events of other services arrive.
    static let hold = Duration.milliseconds(100)
    /// How long past events of all services are collected before they are shown.
    static let settling = Duration.milliseconds(500)

    let tails: [ServiceTail]
    let text: EventText
    let output: TailOutput
    var clock: any SuiteClock = SystemClock()

    private enum Input {
        /// The sender waits until the update is taken, so at most one update per service is queued.
        case update(TailUpdate, ServiceInstance, taken: CheckedContinuation<Void, Never>)
        /// Events are due.
        case due
    }

    /// Returns `unavailable` once the tail has given up on every service, or `success` once the task is cancelled.
    func run(replays: Bool) async -> ExitStatus {
        let (inputs, arriving) = AsyncStream.makeStream(of: Input.self)
        // This task is not cancelled with the others, so it can release all waiting senders and show the remaining events.
        let shown = Task { await show(inputs, replays: replays) { arriving.yield(.due) } }
        await withTaskGroup(of: Void.self) { group in
            for tail in tails {
                group.addTask {
                    await tail.run { update in
                        await withCheckedContinuation { arriving.yield(.update(update, tail.service, taken: $0)) }
                    }
                }
            }
        }
        arriving.finish()
        await shown.value
        return Task.isCancelled ? .success : .unavailable
    }

    private func show(
        _ inputs: AsyncStream<Input>, replays: Bool, remind: @escaping @Sendable () -> Void
    ) async {
        let isMerging = tails.count > 1
        var window = MergeWindow(
            hold: isMerging ? Self.hold : .zero,
            settled: isMerging && replays ? clock.uptime + Self.settling : nil)
        var text = text
        var dropped: [ServiceInstance: Int] = [:]
        var reminder: Task<Void, Never>?
        for await input in inputs {
            var waiting: CheckedContinuation<Void, Never>?
            switch input {
            case .due: reminder = nil
            case .update(.events(let events, let count), let service, let taken):
                waiting = taken
                if count > 0 { await take(count, of: service, &dropped) }
                for event in events {
                    let lost = dropped.removeValue(forKey: service) ?? 0
                    window.insert(ServiceEvent(service: service, event: event, dropped: lost), at: clock.uptime)
                }
            case .update(let update, let service, let taken):
                waiting = taken
                // The message about a closed connection follows the service's events.
                if case .lost(.closed, _, _) = update { await write(window.releaseAll(), &text) }
                if let note = TailText.note(update, of: service) { await output.note(note) }
            }
            await write(window.release(at: clock.uptime), &text)
            waiting?.resume()
            if reminder == nil, let due = window.due { reminder = remindLater(due, remind) }
        }
        reminder?.cancel()
        await write(window.releaseAll(), &text)
        for (service, count) in dropped where text.format == .pretty { await output.note(Self.note(count, service)) }
    }

    /// Counts lost events. Their number is shown with the service's next event or, in pretty output, at the end if there is none. For JSON output, a
    /// note also states it immediately.
    private func take(_ count: Int, of service: ServiceInstance, _ dropped: inout [ServiceInstance: Int]) async {
        dropped[service, default: 0] += count
        if text.format == .json { await output.note(Self.note(count, service)) }
    }

    private static func note(_ count: Int, _ service: ServiceInstance) -> StyledText {
        StyledText(TailText.dropped(count, of: service), .yellow)
    }

    private func write(_ events: [ServiceEvent], _ text: inout EventText) async {
        if !events.isEmpty { await output.write(text.text(events, columns: output.columns())) }
    }

    private func remindLater(_ due: Duration, _ remind: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task {
            try? await clock.sleep(until: due)
            remind()
        }
    }
}

/// The output of a tail. A write may block until the reader catches up; meanwhile, no other update is processed.
struct TailOutput: Sendable {
    /// Writes events.
    var write: @Sendable (String) async -> Void
    /// Writes a message about the tail itself.
    var note: @Sendable (StyledText) async -> Void
    /// Width of the terminal to which events are written; nil if it is not a terminal.
    var columns: @Sendable () -> Int?

    /// Standard output and standard error, both written on one dispatch queue.
    static func standard(environment: TerminalEnvironment) -> TailOutput {
        let queue = DispatchQueue(label: "bookstrack.tail.output")
        let perform: @Sendable (@escaping @Sendable () -> Void) async -> Void = { body in
            await withCheckedContinuation { continuation in
                queue.async {
                    body()
                    continuation.resume()
                }
            }
        }
        let colors = environment.allowsColors && StandardStreams.errorColumns != nil
        return TailOutput(
            write: { text in await perform { StandardStreams.writeOutput(text) } },
            note: { text in await perform { StandardStreams.writeError(text.text(colors: colors) + "\n") } },
            columns: { StandardStreams.outputColumns })
    }
}
