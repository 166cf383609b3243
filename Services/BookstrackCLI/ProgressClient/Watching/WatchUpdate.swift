package import NIOCore

/// What a watcher tells while it watches.
package enum WatchUpdate: Sendable {
    /// A frame, as it came and decoded.
    case frame(ByteBuffer, ProgressFrame)
    /// The connection is gone, or was refused for now; the next try is in `retryIn`.
    case interrupted(reason: String, retryIn: Duration)
}
