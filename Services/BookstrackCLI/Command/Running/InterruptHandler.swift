import Dispatch
import Foundation

/// What Ctrl-C does instead of ending the process at once.
struct InterruptHandler {
    private let source: any DispatchSourceSignal

    private init(_ source: any DispatchSourceSignal) { self.source = source }

    /// `message` is written to standard error before the process ends with status 130.
    init(message: @escaping @Sendable () -> String) {
        self = .calling {
            StandardStreams.writeError("\n" + message() + "\n")
            exit(ExitStatus.interrupted.rawValue)
        }
    }

    /// Calls `act` on another thread at each Ctrl-C.
    static func calling(_ act: @escaping @Sendable () -> Void) -> InterruptHandler {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler(handler: act)
        source.resume()
        return InterruptHandler(source)
    }

    /// Gives Ctrl-C its usual meaning again.
    func cancel() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
