package import BookstrackContract
package import NIOCore

/// A later page of result rows as raw JSON, called with `callRaw`: the result is `[next, row, row, …]`, where `next` is the cursor
/// of the following page or -1, and each row is an `EnrichedBook`. See `ResultsPage`.
package enum ReadResultsPage {
    package static let name = "jobs.resultsPage"
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The job.
        package var jobId: JobID
        /// Where the page begins: what the page before said.
        package var cursor: Int

        package init(jobId: JobID, cursor: Int) {
            self.jobId = jobId
            self.cursor = cursor
        }
    }
}

/// The raw answer of `ReadResultsPage`: `[next, row, row, …]`, read and written without decoding the rows.
package struct ResultsPage: Sendable, Equatable {
    /// Length of the rows of a page, unless it is the last one or holds a single longer row. Pages are small, because a live frame may
    /// have to wait until one is written and read.
    package static let bytes = 64 << 10

    /// Cursor of the following page, nil on the last one.
    package var next: Int?
    /// The rows' JSON texts joined by commas; empty when there are none.
    package var rows: ByteBuffer

    package init(next: Int?, rows: ByteBuffer) {
        self.next = next
        self.rows = rows
    }

    /// Reads an answer; nil when it does not have the documented shape.
    package init?(raw: ByteBuffer) {
        var raw = raw
        guard raw.readInteger(as: UInt8.self) == UInt8(ascii: "[") else { return nil }
        let view = raw.readableBytesView
        guard let end = view.firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "]") }),
            view.last == UInt8(ascii: "]"), let cursor = Int(String(decoding: view[..<end], as: UTF8.self))
        else { return nil }
        next = cursor < 0 ? nil : cursor
        rows =
            view.distance(from: end, to: view.endIndex) <= 1
            ? ByteBuffer() : ByteBuffer(view[view.index(after: end)..<view.index(before: view.endIndex)])
    }

    /// The answer's text.
    package var raw: ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(rows.readableBytes + 24)
        buffer.writeString("[\(next ?? -1)")
        if rows.readableBytes > 0 {
            buffer.writeString(",")
            buffer.writeImmutableBuffer(rows)
        }
        buffer.writeString("]")
        return buffer
    }
}
