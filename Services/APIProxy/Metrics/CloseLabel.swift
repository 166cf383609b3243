import Observability

/// A close code, as far as RFC 6455 §7.4.1, its registry and the suite name it; a peer may send any.
enum CloseLabel: String, MetricLabel {
    case normal = "1000"
    case goingAway = "1001"
    case protocolError = "1002"
    case unsupported = "1003"
    /// A close frame without a code.
    case missing = "1005"
    /// No close frame.
    case lost = "1006"
    case invalidPayload = "1007"
    case policyViolation = "1008"
    case messageTooBig = "1009"
    case missingExtension = "1010"
    case internalError = "1011"
    case serviceRestart = "1012"
    case tryAgainLater = "1013"
    case other

    static let labelName = "code"

    init(code: UInt16) { self = Self(rawValue: "\(code)") ?? .other }
}
