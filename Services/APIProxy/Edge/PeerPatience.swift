import NIOCore

/// How long a peer that owes something is waited for before its connection is closed.
struct PeerPatience: Sendable {
    /// Until it has taken what waits before a close frame.
    var drain = TimeAmount.seconds(5)
    /// Until it answers a close frame.
    var closeReply = TimeAmount.seconds(2)
    /// Until a request has arrived that was sent before this process was told to stop.
    var lastRequest = TimeAmount.seconds(1)
}
