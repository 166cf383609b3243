/// How fit a process is to serve (spec/07 "Readiness").
public enum ReadinessStatus: String, Codable, Sendable {
    case ready
    case degraded
    case unavailable
}
