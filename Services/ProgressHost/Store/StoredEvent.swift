import Foundation
import GRDB
import NIOCore
import SuiteMethods

/// A job event as it was sent.
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

/// The kinds of job events, as stored (spec/03 "Life of a job's events").
enum EventKind: String, Sendable, CaseIterable {
    case started
    case progress
    case completed
    case failed
    case cancelled

    var isTerminal: Bool {
        switch self {
        case .started, .progress: false
        case .completed, .failed, .cancelled: true
        }
    }

    /// What the event is to a slow reader's queue.
    var delivery: SocketDelivery.Kind {
        switch self {
        case .started: .event
        case .progress: .progress
        case .completed, .failed, .cancelled: .terminal
        }
    }
}
