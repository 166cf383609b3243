import BookstrackContract
import Foundation
import Observability

/// One request and its answer: the identifier and the times that every answer carries (http-api.md "Envelope").
struct Exchange: Sendable {
    /// What is done for the request, since its head.
    let activity: Activity

    /// Stands where no request has been seen yet.
    static let none = Exchange(Activity(TraceContext()))

    init(_ activity: Activity) { self.activity = activity }

    var requestId: String { activity.trace.requestID }

    /// Milliseconds since the request's head.
    var milliseconds: Int {
        let (seconds, attoseconds) = activity.elapsed.components
        return Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    /// The envelope's `metadata`, as of now.
    var metadata: ResponseMetadata {
        ResponseMetadata(
            timestamp: ISO8601Milliseconds.string(fromMilliseconds: Activity.now),
            processingTime: milliseconds)
    }
}
