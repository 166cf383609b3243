import NIOCore

/// Distributes connections across event loops that accept them from the same socket.
///
/// While few connections arrive, the same loop is always the first to accept them. Therefore, a loop that has many more connections than another one
/// accepts no more until the others have caught up. The loop with the fewest connections always accepts.
struct LoopBalance {
    /// Number of connections by which a loop may always exceed another one.
    private static let excess = 8

    private struct Loop {
        let eventLoop: any EventLoop
        var connections = 0
        /// Called once the loop may accept again; nil if it is not waiting for that.
        var resume: (@Sendable () -> Void)?
    }

    private var loops: [Loop]

    /// - Parameter loops: The loops that accept connections; empty if a single loop accepts them for all.
    init(_ loops: [any EventLoop]) { self.loops = loops.map { Loop(eventLoop: $0) } }

    private func index(of eventLoop: any EventLoop) -> Int? { loops.firstIndex { $0.eventLoop === eventLoop } }

    private func isAhead(_ index: Int) -> Bool {
        let least = loops.lazy.map(\.connections).min() ?? 0
        return loops[index].connections - least > max(Self.excess, least / 16)
    }

    /// Whether a loop may accept the next connection. If not, keeps `resume`, which ``count(_:by:)`` returns once the loop may accept again.
    mutating func mayAccept(on eventLoop: any EventLoop, orElse resume: @escaping @Sendable () -> Void) -> Bool {
        guard let index = index(of: eventLoop), isAhead(index) else { return true }
        loops[index].resume = resume
        return false
    }

    /// Records new or ended connections of a loop. Returns the `resume` of each loop that may accept again.
    mutating func count(_ eventLoop: any EventLoop, by change: Int) -> [@Sendable () -> Void] {
        guard let changed = index(of: eventLoop) else { return [] }
        loops[changed].connections += change
        var resumed: [@Sendable () -> Void] = []
        for index in loops.indices {
            guard let resume = loops[index].resume, !isAhead(index) else { continue }
            loops[index].resume = nil
            resumed.append(resume)
        }
        return resumed
    }
}
