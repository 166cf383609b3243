import BookstrackContract
import Foundation
import Observability

/// One request and its answer: the identifier and the times that every answer carries (spec/02 "Envelope").
struct Exchange: Sendable {
    /// The client's `X-Request-Id` and `traceparent` where they are sane, else new ones.
    let trace: TraceContext
    private let started = ContinuousClock.now

    /// Stands where no request has been seen yet.
    static let none = Exchange(trace: TraceContext())

    init(trace: TraceContext) { self.trace = trace }

    var requestId: String { trace.requestID }

    /// Milliseconds since the request's head.
    var milliseconds: Int {
        let (seconds, attoseconds) = (ContinuousClock.now - started).components
        return Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    /// The envelope's `metadata`, as of now.
    var metadata: ResponseMetadata {
        ResponseMetadata(
            timestamp: ISO8601Milliseconds.string(fromMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000)),
            processingTime: milliseconds)
    }
}
