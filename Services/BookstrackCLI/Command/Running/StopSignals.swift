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

/// Replaces the effect of Ctrl-C until ``cancel()`` or the end of the process. A command does not replace one handler with another, because a signal
/// that arrives in between would be lost.
struct InterruptHandler {
    private let source: any DispatchSourceSignal

    private init(_ source: any DispatchSourceSignal) { self.source = source }

    /// At Ctrl-C, writes `message` to standard error and ends the process with status 130.
    init(message: @escaping @Sendable () -> String) {
        self = .calling {
            StandardStreams.writeMessage("\n" + message())
            exit(ExitStatus.interrupted.rawValue)
        }
    }

    /// Calls `act` on another thread at each Ctrl-C.
    static func calling(_ act: @escaping @Sendable () -> Void) -> InterruptHandler {
        // Uses its own queue, since the shared ones may be busy with the interrupted work.
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue(label: "interrupt"))
        source.setEventHandler(handler: act)
        source.start()
        return InterruptHandler(source)
    }

    /// Restores the default effect of Ctrl-C.
    func cancel() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
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
