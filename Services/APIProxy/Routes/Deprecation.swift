import Foundation
import HTTPTypes

/// The fields of a deprecated route's answers (http-api.md "Envelope").
struct Deprecation: Sendable {
    /// Path of the route that takes its place.
    let successor: String
    /// When the route goes away (`BOOKSTRACK_SUNSET`).
    let sunset: Date

    /// Deprecated since the contract of 2025-11-15 (RFC 9745). A sunset that has passed is not announced (http-api.md "Envelope"), since it
    /// would say that the route is gone (RFC 8594 §3).
    func fields(at now: Date = .now) -> HTTPFields {
        var fields: HTTPFields = [
            .known("Deprecation"): "@1763164800",
            .known("Link"): "<\(successor)>; rel=\"successor-version\"",
        ]
        if sunset > now { fields[.known("Sunset")] = HTTPDate.text(second: Int(sunset.timeIntervalSince1970)) }
        return fields
    }
}
