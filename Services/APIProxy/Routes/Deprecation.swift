import HTTPTypes

/// The fields of a deprecated route's answers (spec/02 "Envelope").
struct Deprecation: Sendable {
    /// Path of the route that takes its place.
    let successor: String

    /// Since the contract of 2025-11-15 (RFC 9745), gone on the day of contract §10.2 (RFC 8594).
    var fields: HTTPFields {
        [
            .known("Deprecation"): "@1763164800",
            .known("Sunset"): "Sun, 01 Mar 2026 00:00:00 GMT",
            .known("Link"): "<\(successor)>; rel=\"successor-version\"",
        ]
    }
}
