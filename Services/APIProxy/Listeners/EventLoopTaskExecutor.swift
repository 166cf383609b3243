import NIOConcurrencyHelpers
import NIOCore

/// Runs tasks on one event loop, so that a request is answered on the thread that read it: the hops to other threads and back would
/// cost more than the request.
///
/// It runs a slice of them per turn of the loop. NIO reads no socket before everything that was enqueued has run, what is enqueued
/// meanwhile included: a thousand requests at once would delay the frames of every live socket on the loop until the last of them is answered.
final class EventLoopTaskExecutor: TaskExecutor {
    private struct State {
        var pending = CircularBuffer<UnownedJob>()
        /// Whether the loop is going to run what is pending.
        var isScheduled = false
    }

    /// How long tasks run before sockets are read again; longer than most single steps of a request.
    private static let slice = TimeAmount.microseconds(200)
    /// How long the loop may wait for sockets in between. A task that is due when the slice ends would run in the same turn.
    private static let pause = TimeAmount.microseconds(10)

    private let eventLoop: any EventLoop
    private let state = NIOLockedValueBox(State())

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLockedValue { state in
            state.pending.append(job)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { eventLoop.execute { self.runSlice() } }
    }

    private func runSlice() {
        let end = NIODeadline.now() + Self.slice
        while let job = next() {
            job.runSynchronously(on: asUnownedTaskExecutor())
            if .now() >= end {
                eventLoop.scheduleTask(in: Self.pause) { self.runSlice() }
                return
            }
        }
    }

    private func next() -> UnownedJob? {
        state.withLockedValue { state in
            let job = state.pending.popFirst()
            if job == nil { state.isScheduled = false }
            return job
        }
    }
}

/// The executors of a group's event loops.
struct EventLoopTaskExecutors: Sendable {
    private let executors: [ObjectIdentifier: EventLoopTaskExecutor]

    init(_ group: any EventLoopGroup) {
        executors = Dictionary(
            uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), EventLoopTaskExecutor($0)) })
    }

    /// The executor of one of the group's event loops; one of its own for any other.
    subscript(eventLoop: any EventLoop) -> EventLoopTaskExecutor {
        executors[ObjectIdentifier(eventLoop)] ?? EventLoopTaskExecutor(eventLoop)
    }
}
