import BookstrackContract
import SuiteMethods

/// A client that watches a job, as shown by the console (console.md "Job").
struct WatcherFigure: Codable, Sendable, Equatable {
    /// How the client receives frames.
    enum Form: String, Codable, Sendable {
        case webSocket
        case eventStream
        /// A request that waits for the job's next event or its end.
        case poll
    }

    var form: Form
    /// Whether the client uses version 1 of the protocol.
    var isV1: Bool
    /// Whether the client is a console page.
    var isOperator: Bool
    /// The number of the token that the client sent (``ReadJobDetail/Token``); nil if it sent none or is not admitted yet.
    var token: Int64?
    /// `seq` of the newest event for the client; the event may still be waiting to be written.
    var sent: Int
    /// Number of frames that were replaced by newer ones because the client reads slowly.
    var skipped: Int
    /// Number of bytes waiting to be written to the client.
    var waitingBytes: Int

    init(_ watcher: any Watcher) {
        form =
            switch watcher.codec {
            case .webSocket: .webSocket
            case .eventStream: .eventStream
            case .frame: watcher is JobPoll ? .poll : .eventStream
            }
        isOperator = watcher.request.isOperator == true
        (isV1, token) = (watcher.state.speaksV1, watcher.state.tokenNumber)
        (sent, skipped) = (watcher.state.ledger.lastSeq, Int(watcher.state.skipped))
        waitingBytes = watcher.state.waitingBytes
    }
}
