import Dispatch
import Foundation

/// When the emulator ends: SIGTERM, SIGINT, or the end of its parent.
enum StopCondition {
    private static let parentCheck = DispatchTimeInterval.milliseconds(250)

    static var currentParent: pid_t { getppid() }

    /// Returns at the first of them.
    ///
    /// - Parameter parent: The process whose end is watched. An orphan gets another parent, which is what is looked for: Linux's own
    ///   signal for it depends on the parent's thread (prctl(2), PR_SET_PDEATHSIG).
    static func reached(watching parent: pid_t?) async {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let queue = DispatchQueue(label: "stop-condition")
        var sources: [any DispatchSourceProtocol] = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { stop.yield() }
            return source
        }
        if let parent {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: parentCheck)
            timer.setEventHandler { if getppid() != parent { stop.yield() } }
            sources.append(timer)
        }
        for source in sources { source.resume() }
        for await _ in stops { break }
        for source in sources { source.cancel() }
    }
}
