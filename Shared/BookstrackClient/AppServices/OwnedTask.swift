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

    /// Cancels the task; ``isRunning`` is false immediately.
    func cancel() {
        task?.cancel()
        task = nil
    }

    /// Returns when the task has finished, or immediately if there is none.
    func wait() async { await task?.value }
}
