import BookstrackContract
import SuiteMethods

/// What one service said of itself, or why it did not answer.
struct ServiceReport: Sendable {
    let service: ServiceInstance
    let answer: Result<ReadStatus.Result, ServiceFailure>
    /// What systemd says of its unit, where it does not answer and there is one.
    var unit: UnitReport?

    var status: ReadStatus.Result? { try? answer.get() }

    /// "ready", "degraded", "unavailable", or "down" without an answer.
    var state: String { status?.readiness.status.rawValue ?? "down" }

    /// For its colour.
    var meaning: Meaning {
        switch status?.readiness.status {
        case .ready: .ok
        case .degraded: .warning
        case .unavailable, nil: .problem
        }
    }

    /// Why it is not ready, each as a sentence that names the process.
    var reasons: [String] {
        switch answer {
        case .failure(let failure): [failure.description] + (unit.map { ["\($0.unit) \($0.sentence)"] } ?? [])
        case .success(let status):
            (status.readiness.dependencies ?? []).filter { $0.status != .ready }.map {
                "\(service.name): \($0.name): \($0.reason)"
            }
        }
    }
}
