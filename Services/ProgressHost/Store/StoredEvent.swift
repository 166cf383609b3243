import Foundation
import GRDB
import NIOCore
import SuiteMethods

/// A job event and the frame that was sent.
struct StoredEvent: Sendable {
    var seq: Int
    var kind: EventKind
    var frame: ByteBuffer

    init(seq: Int, kind: EventKind, frame: ByteBuffer) {
        self.seq = seq
        self.kind = kind
        self.frame = frame
    }

    init(_ row: Row) {
        seq = row["seq"]
        kind = EventKind(rawValue: row["kind"]) ?? .progress
        frame = ByteBuffer(bytes: row["frame"] as Data)
    }
}

/// The kinds of stored job events (websocket.md "Job events").
enum EventKind: String, Sendable, CaseIterable {
    case started
    case progress
    /// The photos of a batch were registered.
    case batchStarted
    /// The state of a photo of a batch has changed.
    case batchProgress
    /// The books of a batch, before the terminal event.
    case batchCompleted
    /// The progress frame before the `error` of a failed scan.
    case failing
    case completed
    case failed
    case cancelled

    /// Whether the event belongs to the end of a job.
    var tellsEnd: Bool { isTerminal || self == .failing || self == .batchCompleted }

    var isTerminal: Bool {
        switch self {
        case .started, .progress, .batchStarted, .batchProgress, .batchCompleted, .failing: false
        case .completed, .failed, .cancelled: true
        }
    }

    /// How the queue of a slow reader treats the event.
    var delivery: SocketDelivery.Kind {
        switch self {
        case .started, .batchStarted, .batchProgress, .batchCompleted, .failing: .event
        case .progress: .progress
        case .completed, .failed, .cancelled: .terminal
        }
    }
}
