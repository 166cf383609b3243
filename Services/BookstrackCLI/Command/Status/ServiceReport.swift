import BookstrackContract
import SuiteMethods

/// What one service said of itself, or why it said nothing.
struct ServiceReport: Sendable {
    let service: ServiceInstance
    let answer: Result<ReadStatus.Result, CommandFailure>

    var status: ReadStatus.Result? { try? answer.get() }

    /// "ready", "degraded", "unavailable", or "down" without an answer.
    var state: String { status?.readiness.status.rawValue ?? "down" }

    /// Why it is not ready, each as a sentence that names who is meant.
    var reasons: [String] {
        switch answer {
        case .failure(let failure): [failure.message]
        case .success(let status):
            (status.readiness.dependencies ?? []).filter { $0.status != .ready }.map {
                "\(service.name): \($0.name): \($0.reason)"
            }
        }
    }
}
