package import BookstrackContract
import JSONRPC
package import NIOCore

/// The head of a job's results with their first page, called with `callRaw`: one call, since most results are one page. Further rows
/// follow by `ReadResultsPage`.
///
/// The result is `{"head":{…},"page":[next, row, …]}` in exactly this order; the rows are cut out, not decoded (Services/README.md
/// "JSON-RPC"). Application errors: `NOT_FOUND` with `details{jobId, status}` before the end, `details{jobId, resultsKey, ttl}` when there
/// is no such job or its results were removed.
package struct ReadResults: Sendable {
    package static let name = "jobs.results"
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The job.
        package var jobId: JobID

        package init(jobId: JobID) { self.jobId = jobId }
    }

    package struct Head: Codable, Sendable, Equatable {
        package var jobId: JobID
        /// Grows by one with every row that changes after the end.
        package var resultsRevision: Int
        /// When the results are removed, ISO 8601.
        package var expiresAt: String
        /// Items with a result.
        package var successCount: Int
        /// Items without one.
        package var failureCount: Int

        package init(
            jobId: JobID, resultsRevision: Int, expiresAt: String, successCount: Int, failureCount: Int
        ) {
            self.jobId = jobId
            self.resultsRevision = resultsRevision
            self.expiresAt = expiresAt
            self.successCount = successCount
            self.failureCount = failureCount
        }
    }

    package var head: Head
    package var page: ResultsPage

    package init(head: Head, page: ResultsPage) {
        self.head = head
        self.page = page
    }

    /// The call's result. Throws `EncodingError`.
    package func raw() throws -> ByteBuffer {
        var (head, page) = (try BodyCoding.encode(head), page.raw)
        var buffer = ByteBuffer()
        buffer.reserveCapacity(head.readableBytes + page.readableBytes + 20)
        buffer.writeString("{\"head\":")
        buffer.writeBuffer(&head)
        buffer.writeString(",\"page\":")
        buffer.writeBuffer(&page)
        buffer.writeString("}")
        return buffer
    }

    /// Reads a result that was made by `raw()`; nil when it does not have that shape. No text of a head can look like the separator.
    package init?(raw: ByteBuffer) {
        var reader = raw
        let opening = "{\"head\":"
        guard reader.readString(length: opening.utf8.count) == opening,
            let separator = reader.range(of: ",\"page\":"), let head = reader.readSlice(length: separator.lowerBound),
            let head = try? BodyCoding.decode(Head.self, from: head)
        else { return nil }
        reader.moveReaderIndex(forwardBy: separator.count)
        guard reader.readableBytesView.last == UInt8(ascii: "}"),
            let text = reader.readSlice(length: reader.readableBytes - 1), let page = ResultsPage(raw: text)
        else { return nil }
        self.init(head: head, page: page)
    }
}
