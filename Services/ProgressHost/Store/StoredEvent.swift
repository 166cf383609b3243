import Foundation
import GRDB
import NIOCore
import SuiteMethods

/// A job event and its frame.
///
/// A progress event that arises when an item's outcome is recorded is stored with the item and its result, unless the event's `seq` is a multiple of
/// ``ownInterval``. All other events are rows of `event`.
struct StoredEvent: Sendable {
    /// An event whose `seq` is a multiple of this is always a row of `event`. A program with a schema version below 11 sees only the rows of `event`.
    /// It continues 1 000 numbers after the last of them, as after an unclean stop, so it never reuses the `seq` of an event that it cannot see
    /// (Shared/Storage/Migrations.md).
    static let ownInterval = 256

    var seq: Int
    /// When the event happened, in milliseconds since 1970.
    var at: Int64
    var kind: EventKind
    var frame: ByteBuffer

    init(seq: Int, at: Int64, kind: EventKind, frame: ByteBuffer) {
        self.seq = seq
        self.at = at
        self.kind = kind
        self.frame = frame
    }

    /// Reads the columns `seq, at, kind, frame` of the table `event`.
    init(_ row: Row) {
        self.init(
            seq: row[0], at: row[1], kind: EventKind(rawValue: row[2]) ?? .progress,
            frame: ByteBuffer(bytes: row[3] as Data))
    }
}

/// The kinds of stored job events (websocket.md "Job events").
enum EventKind: String, Sendable, CaseIterable {
    case started
    case progress
    /// A worker has begun to read the photos of a batch.
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
    var belongsToEnd: Bool { isTerminal || self == .failing || self == .batchCompleted }

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
