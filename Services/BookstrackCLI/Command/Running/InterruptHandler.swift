import Dispatch
import Foundation

/// What Ctrl-C does instead of ending the process at once. It holds until the process ends: a signal that comes while one handler
/// takes the other's place would be lost.
struct InterruptHandler {
    private let source: any DispatchSourceSignal

    private init(_ source: any DispatchSourceSignal) { self.source = source }

    /// `message` is written to standard error before the process ends with status 130.
    init(message: @escaping @Sendable () -> String) {
        self = .calling {
            StandardStreams.writeMessage("\n" + message())
            exit(ExitStatus.interrupted.rawValue)
        }
    }

    /// Calls `act` on another thread at each Ctrl-C.
    static func calling(_ act: @escaping @Sendable () -> Void) -> InterruptHandler {
        signal(SIGINT, SIG_IGN)
        // A queue of its own: the shared ones may be busy with what is interrupted.
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue(label: "interrupt"))
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
