/// At most one running task, which is cancelled when its owner is deallocated.
@MainActor
final class OwnedTask {
    private var task: Task<Void, Never>?

    /// Whether a task has been started and has neither finished nor been cancelled.
    var isRunning: Bool { task != nil }

    deinit { task?.cancel() }

    /// Starts a task instead of the previous one, which is cancelled. `ended` is called with the result of `body`, but not after a cancellation: the
    /// owner may already have started the next task.
    func start<Result>(
        _ body: @escaping @MainActor () async -> Result, ended: @escaping @MainActor (Result) -> Void = { _ in }
    ) {
        cancel()
        task = Task { [weak self] in
            let result = await body()
            guard !Task.isCancelled else { return }
            self?.task = nil
            ended(result)
        }
    }

    /// Passes the events of a job to `take`. Then calls `ended`, with an error if the job can no longer be followed. The task no longer counts as
    /// running by then, so `ended` may follow the job again. After a cancellation, neither is called.
    func follow(
        _ events: JobEvents, take: @escaping @MainActor (JobEvent) -> Void,
        ended: @escaping @MainActor (BookstrackError?) -> Void
    ) {
        start { () -> BookstrackError? in
            do {
                for try await event in events {
                    guard !Task.isCancelled else { return nil }
                    take(event)
                }
                return nil
            } catch {
                return error as? BookstrackError
            }
        } ended: {
            ended($0)
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
