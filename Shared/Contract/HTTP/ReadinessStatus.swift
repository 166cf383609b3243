/// How fit a process is to serve (http-api.md "Readiness").
public enum ReadinessStatus: String, Codable, Sendable {
    case ready
    case degraded
    case unavailable
}
