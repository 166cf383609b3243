package import BookstrackContract
import JSON
import JSONRPC
package import NIOCore

/// Reads the head and the first page of a job's results; called with `callRaw`. Most results fit in one page, so one call is enough. Further rows are
/// read with `ReadResultsPage`.
///
/// The result is `{"head":{…},"page":[next, row, …]}` in exactly this order; the rows are sliced out, not decoded (Services/README.md "JSON-RPC").
/// Application errors: `NOT_FOUND` with `details{jobId, status}` if the job has not ended, is a cancelled scan, or is a failed scan in whose photos
/// no book has been read (then also with `reason`, if known); `NOT_FOUND` with `details{jobId, resultsKey, ttl}` if there is no such job or its
/// results were deleted; `SERVICE_UNAVAILABLE`.
package struct ReadResults: Sendable {
    package static let name = "jobs.results"
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// Identifier of the job whose results are read.
        package var jobId: JobID

        package init(jobId: JobID) { self.jobId = jobId }
    }

    package struct Head: Codable, Sendable, Equatable {
        package var jobId: JobID
        /// The job's kind. The rows of an import are read with ``ReadImportResults`` instead.
        package var pipeline: Pipeline
        /// Revision of the results: it increases when the job ends and with each later change to them.
        package var resultsRevision: Int
        /// When the results are deleted, in ISO 8601 format.
        package var expiresAt: String
        /// Number of items with a result.
        package var successCount: Int
        /// Number of items without a result.
        package var failureCount: Int
        /// The figures of a scan; nil for other kinds of jobs.
        package var scan: ScanFigures?

        package init(
            jobId: JobID, pipeline: Pipeline = .batchEnrichment, resultsRevision: Int, expiresAt: String,
            successCount: Int, failureCount: Int
        ) {
            self.jobId = jobId
            self.pipeline = pipeline
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
    package func raw() throws -> ByteBuffer { try ByteBuffer(head: head, "page", page.raw) }

    /// Parses a result created by `raw()`; nil if it has a different form. The separator first occurs after the head: JSON escapes the quotes in the
    /// head's texts, and no member in the head is named `page`.
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

extension ByteBuffer {
    /// The JSON of an object with the members `head` and `name`, of which the second is already JSON. Throws `EncodingError`.
    init(head: some Encodable, _ name: StaticString, _ body: ByteBuffer) throws {
        let head = try BodyCoding.encode(head)
        self.init()
        reserveCapacity(head.readableBytes + body.readableBytes + 20)
        writeStaticString("{\"head\":")
        writeImmutableBuffer(head)
        writeStaticString(",\"")
        writeStaticString(name)
        writeStaticString("\":")
        writeImmutableBuffer(body)
        writeStaticString("}")
    }
}

/// Reads a later page of result rows as raw JSON. Called with `callRaw`; the result is `[next, row, row, …]`, where `next` is the cursor of the
/// following page or -1, and each row is an `EnrichedBook` or, for a scan, a `ScannedBook`. See `ResultsPage`.
///
/// Application errors: `INVALID_REQUEST` for a negative cursor; `NOT_FOUND` if the job has not ended or there is no such job, with the details of
/// ``ReadResults``; `SERVICE_UNAVAILABLE`.
package enum ReadResultsPage {
    package static let name = "jobs.resultsPage"
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// Identifier of the job whose results are read.
        package var jobId: JobID
        /// Start of the page: `next` of the previous page or, for an enrichment, the index of its first row.
        package var cursor: Int

        package init(jobId: JobID, cursor: Int) {
            self.jobId = jobId
            self.cursor = cursor
        }
    }
}

/// The raw response of `ReadResultsPage`: `[next, row, row, …]`, read and written without decoding the rows.
package struct ResultsPage: Sendable, Equatable {
    /// Maximum length of a page's rows in bytes; a single longer row has a page of its own. Pages are small, because a live frame may have
    /// to wait until a page has been written and read.
    package static let bytes = 64 << 10

    /// Cursor of the following page; nil for the last page.
    package var next: Int?
    /// The rows' JSON texts joined by commas; empty if there are none.
    package var rows: ByteBuffer

    package init(next: Int?, rows: ByteBuffer) {
        self.next = next
        self.rows = rows
    }

    /// Parses a response; nil if it does not have the documented form.
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

    /// The decoded rows. Throws `DecodingError`.
    package func rows<Row: Decodable>(as type: Row.Type) throws -> [Row] {
        guard rows.readableBytes > 0 else { return [] }
        var list = ByteBuffer()
        list.reserveCapacity(rows.readableBytes + 2)
        list.writeStaticString("[")
        list.writeImmutableBuffer(rows)
        list.writeStaticString("]")
        return try BodyCoding.decode([Row].self, from: list)
    }

    /// The text of the response.
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
