import BookstrackContract
import SuiteMethods

/// A client that watches a job, for the console (console.md "Job").
struct WatcherFigure: Codable, Sendable, Equatable {
    /// How it receives frames.
    enum Form: String, Codable, Sendable {
        case webSocket
        case eventStream
        /// A request that waits for the next event.
        case poll
    }

    var form: Form
    /// Whether it speaks version 1 of the protocol.
    var isV1: Bool
    /// Whether it is a console page.
    var isOperator: Bool
    /// The number of the token it was opened with (``ReadJobDetail/Token``); nil if there was none.
    var token: Int64?
    /// The newest event that was written to it.
    var sent: Int
    /// Number of frames that were replaced by newer ones because its client reads slowly.
    var skipped: Int
    /// Number of bytes waiting for its client.
    var waitingBytes: Int

    init(_ watcher: any Watcher) {
        form =
            switch watcher.codec {
            case .webSocket: .webSocket
            case .eventStream: .eventStream
            case .frame: .poll
            }
        isOperator = watcher.request.isOperator == true
        (isV1, token) = (watcher.state.speaksV1, watcher.state.tokenNumber)
        (sent, skipped) = (watcher.state.ledger.lastSeq, Int(watcher.state.skipped))
        waitingBytes = watcher.state.waitingBytes
    }
}
