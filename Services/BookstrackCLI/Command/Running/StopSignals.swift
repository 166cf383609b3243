import Dispatch
import Foundation

/// Ctrl-C and SIGTERM as something to wait for, so that a verb that runs until then ends like any other.
final class StopSignals {
    private let stream: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    /// From here on the signals do not end the process by themselves.
    init(_ signals: [Int32] = [SIGINT, SIGTERM]) {
        let (stream, arrivals) = AsyncStream<Int32>.makeStream()
        self.stream = stream
        sources = signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { arrivals.yield(number) }
            source.resume()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }

    /// Runs `body` again and again, with a pause after each time, until a signal comes; the run under way is finished first.
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
