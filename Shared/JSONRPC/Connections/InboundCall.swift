import Observability

/// What a peer asked, while it is in its handler.
struct InboundCall: Sendable {
    let method: String
    let activity: Activity
}
