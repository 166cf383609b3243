@testable import ProgressHost

extension EngineThread {
    /// `submit` for callers that wait.
    func perform<Value: Sendable>(
        durable: Bool = false, writes: Bool = true,
        _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit(durable: durable, writes: writes, reply: { continuation.resume(with: $0.mapError { $0 }) }, body)
        }
    }
}
