import Observability

/// What became of a cover that was asked for.
enum CoverFate: String, MetricLabel {
    /// Brought, or kept already.
    case served
    case missing
    case refused
    /// As many as are allowed were being fetched.
    case busy
    case failed

    static let labelName = "outcome"

    init(_ failure: CoverFailure) {
        switch failure {
        case .refused: self = .refused
        case .missing: self = .missing
        case .busy: self = .busy
        case .noPicture, .call, .notKept: self = .failed
        }
    }
}
