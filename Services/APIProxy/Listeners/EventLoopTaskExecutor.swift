import NIOConcurrencyHelpers
import NIOCore

/// Runs tasks on one event loop, so that a request is answered on the thread that read it. Switching to another thread and back would cost more than
/// the request.
///
/// Each turn of the loop runs one time slice of tasks. NIO reads from no socket until all enqueued tasks have run, including those that are enqueued
/// in the meantime. Without slices, a thousand simultaneous requests would delay the frames of every live socket on the loop until the last one is
/// answered.
final class EventLoopTaskExecutor: TaskExecutor {
    private struct State {
        var pending = CircularBuffer<UnownedJob>()
        /// Whether a run of `pending` is scheduled on the loop.
        var isScheduled = false
    }

    /// Time after which no further step of a task starts until sockets are read again; most single steps of a request take less.
    private static let slice = TimeAmount.microseconds(200)
    /// Delay before the next slice, during which the loop reads sockets. Without a delay, the next slice would run in the same turn.
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

    /// The executor of an event loop in the group; a new one for any other event loop.
    subscript(eventLoop: any EventLoop) -> EventLoopTaskExecutor {
        executors[ObjectIdentifier(eventLoop)] ?? EventLoopTaskExecutor(eventLoop)
    }
}
