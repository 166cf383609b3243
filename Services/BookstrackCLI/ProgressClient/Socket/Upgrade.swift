import NIOCore

/// What became of the request for an upgrade.
enum Upgrade: Sendable {
    case upgraded(ProgressSocket)
    /// The answer, of which the head has come.
    case refused(EventLoopFuture<HTTPAnswer>)
}
