/// Returns once a condition holds, for what cannot be awaited as an event. Throws `CancellationError` if the task is cancelled, as a test is at its
/// time limit.
package nonisolated(nonsending) func until(
    _ condition: nonisolated(nonsending) () async throws -> Bool
) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
