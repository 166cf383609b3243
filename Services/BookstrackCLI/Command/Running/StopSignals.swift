import Dispatch
import Foundation

/// Lets a command run until Ctrl-C or SIGTERM, and then end normally.
final class StopSignals {
    private let stream: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    /// Keeps the signals from ending the process by themselves.
    init(_ signals: [Int32] = [SIGINT, SIGTERM]) {
        let (stream, arrivals) = AsyncStream<Int32>.makeStream()
        self.stream = stream
        // Uses its own queue, since all threads of the shared ones may be waiting.
        let queue = DispatchQueue(label: "signals")
        sources = signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { arrivals.yield(number) }
            source.start()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }

    /// Runs `body` repeatedly, with a pause after each run, until it throws or a signal arrives. The signal cancels the task of the current run, and
    /// the method returns when that run has ended.
    func repeating(every pause: Duration, _ body: @Sendable @escaping () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    try await body()
                    try? await Task.sleep(for: pause)
                }
            }
            group.addTask { [stream] in _ = await stream.first { _ in true } }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }
}

/// Replaces the effect of signals until ``cancel()`` or the end of the process. A command does not replace one handler with another, because a signal
/// that arrives in between would be lost.
struct InterruptHandler {
    private let sources: [(signal: Int32, source: any DispatchSourceSignal)]

    private init(_ signals: [Int32], _ act: @escaping @Sendable (Int32) -> Void) {
        // Uses its own queue, since the shared ones may be busy with the interrupted work.
        let queue = DispatchQueue(label: "interrupt")
        sources = signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { act(number) }
            source.start()
            return (number, source)
        }
    }

    /// On Ctrl-C or SIGTERM, writes `message` to standard error and ends the process with status 130 or 143.
    init(message: @escaping @Sendable () -> String) {
        self.init([SIGINT, SIGTERM]) { signal in
            StandardStreams.writeMessage("\n" + message())
            exit(128 + signal)
        }
    }

    /// Calls `act` on another thread at each Ctrl-C.
    static func calling(_ act: @escaping @Sendable () -> Void) -> InterruptHandler {
        InterruptHandler([SIGINT]) { _ in act() }
    }

    /// Restores the default effect of the signals.
    func cancel() {
        for (number, source) in sources {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}

extension DispatchSourceSignal {
    /// Starts the source and waits until it handles its signal. libdispatch registers the source on another thread; until then, the signal still ends
    /// the process.
    fileprivate func start() {
        let registered = DispatchSemaphore(value: 0)
        setRegistrationHandler { registered.signal() }
        resume()
        registered.wait()
    }
}
