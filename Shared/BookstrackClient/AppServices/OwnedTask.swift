/// At most one running task, which is cancelled when its owner is deallocated.
@MainActor
final class OwnedTask {
    private var task: Task<Void, Never>?

    /// Whether a task has been started and has neither finished nor been cancelled.
    var isRunning: Bool { task != nil }

    deinit { task?.cancel() }

    /// Starts a task instead of the previous one, which is cancelled. `ended` is called when `body` has returned, but not after a cancellation:
    /// the owner may already have started the next task.
    func start(_ body: @escaping @MainActor () async -> Void, ended: @escaping @MainActor () -> Void = {}) {
        cancel()
        task = Task { [weak self] in
            await body()
            guard !Task.isCancelled else { return }
            self?.task = nil
            ended()
        }
    }

    /// Passes the events of a job to `take`, and the reason why the job can no longer be followed to `fail`. After a cancellation, nothing is passed on.
    func follow(
        _ events: JobEvents, take: @escaping @MainActor (JobEvent) -> Void,
        fail: @escaping @MainActor (BookstrackError) -> Void, ended: @escaping @MainActor () -> Void = {}
    ) {
        start {
            do {
                for try await event in events {
                    guard !Task.isCancelled else { return }
                    take(event)
                }
            } catch {
                if !Task.isCancelled, let error = error as? BookstrackError { fail(error) }
            }
        } ended: {
            ended()
        }
    }

    /// Cancels the task; ``isRunning`` is false immediately.
    func cancel() {
        task?.cancel()
        task = nil
    }

    /// Returns when the task has finished, or immediately if there is none.
    func wait() async { await task?.value }
}
