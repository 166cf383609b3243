import NIOCore

/// How long a peer that owes something is waited for before its connection is closed.
struct PeerPatience: Sendable {
    /// Until it has taken what waits before a close frame.
    var drain = TimeAmount.seconds(5)
    /// Until it answers a close frame that has been written.
    var closeReply = TimeAmount.seconds(2)
    /// Until a request has arrived that was sent before this process was told to stop.
    var lastRequest = TimeAmount.seconds(1)

    /// Bytes a second that the slowest peer takes that is waited for.
    private static let slowestPeer = 32 << 10

    /// `drain` for a peer that also has to take a terminal frame of so many bytes: of a shipped app's it may be close to 1 MiB.
    func drain(endOf bytes: Int) -> TimeAmount { drain + .milliseconds(Int64(bytes) * 1_000 / Int64(Self.slowestPeer)) }
}
