import Foundation
import GRDB
import NIOCore

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
