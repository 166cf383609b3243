import Dispatch
import Foundation

/// Ends the process on Ctrl-C with a word about what goes on without it.
struct InterruptHandler {
    private let source: any DispatchSourceSignal

    /// `message` is written to standard error before the process ends with status 130.
    init(message: @escaping @Sendable () -> String) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            StandardStreams.writeError("\n" + message() + "\n")
            exit(ExitStatus.interrupted.rawValue)
        }
        source.resume()
    }

    /// Gives Ctrl-C its usual meaning again.
    func cancel() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
