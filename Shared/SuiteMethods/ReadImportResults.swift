package import BookstrackContract
import JSON
import JSONRPC
package import NIOCore

/// Reads the head and the first page of an import's results; called with `callRaw`. Further rows are read with `ReadImportPage`.
///
/// The result is `{"head":{…},"page":[next, part, row, …]}`; the rows are sliced out, not decoded (Services/README.md "JSON-RPC"). An import that
/// failed or was cancelled has no rows and no summary. Application errors: `NOT_FOUND` with `details{jobId, status}` if the import has not ended,
/// with `details{jobId, pipeline}` if the job is not an import, or with `details{jobId, resultsKey, ttl}` if there is no such job or its results were
/// deleted; `SERVICE_UNAVAILABLE`.
package struct ReadImportResults: Sendable {
    package typealias Parameters = ReadResults.Parameters
    package static let name = "imports.results"
    package static let deadline = Duration.seconds(5)

    package struct Head: Codable, Sendable, Equatable {
        package var jobId: JobID
        /// The state, which is always final.
        package var status: JobStatus
        package var resultsRevision: Int
        /// When the results are deleted, in ISO 8601 format.
        package var expiresAt: String
        /// When the import ended, in milliseconds since 1970.
        package var endedAt: Int64
        /// Milliseconds from the first claim to the end of the import; 0 if it was never claimed.
        package var processingTime: Int
        /// Name of the file as given by the client.
        package var fileName: String
        /// Size of the file in bytes.
        package var fileSize: Int
        /// The linked enrichment job; its token is never included.
        package var enrichment: JobID?
        /// The summary of the import; nil if it did not complete.
        package var summary: ImportSummary?
        /// The AI model that identified columns; nil if none did.
        package var modelUsed: String?
        /// Why the import failed; nil if it did not.
        package var failure: ImportFault?

        package init(
            jobId: JobID, status: JobStatus, resultsRevision: Int, expiresAt: String, endedAt: Int64,
            processingTime: Int, fileName: String, fileSize: Int
        ) {
            self.jobId = jobId
            self.status = status
            self.resultsRevision = resultsRevision
            self.expiresAt = expiresAt
            self.endedAt = endedAt
            self.processingTime = processingTime
            self.fileName = fileName
            self.fileSize = fileSize
        }
    }

    package var head: Head
    package var page: ImportRowsPage

    package init(head: Head, page: ImportRowsPage) {
        self.head = head
        self.page = page
    }

    /// The call's result. Throws `EncodingError`.
    package func raw() throws -> ByteBuffer { try ByteBuffer(head: head, "page", page.raw) }

    /// Parses a result created by `raw()`; nil if it has a different form.
    package init?(raw: ByteBuffer) {
        guard let members = ObjectReader(raw), let head = members.object("head"), let page = members.json("page"),
            let head = try? BodyCoding.decode(Head.self, from: head), let page = ImportRowsPage(raw: page)
        else { return nil }
        self.init(head: head, page: page)
    }
}

/// Reads a later page of an import's rows as raw JSON. Called with `callRaw`; the result is an ``ImportRowsPage``.
///
/// Application errors: `INVALID_REQUEST` for an invalid cursor; `NOT_FOUND` if the job has not ended or there is no such job, with the details of
/// ``ReadImportResults``; `SERVICE_UNAVAILABLE`.
package enum ReadImportPage {
    package typealias Parameters = ReadResultsPage.Parameters
    package static let name = "imports.resultsPage"
    package static let deadline = Duration.seconds(5)
}

/// Rows of one part of an import: `[next, part, row, row, …]`, read and written without decoding the rows. Pages follow part by part in the order of
/// ``ImportPart``. A part without rows has no page; an import without any rows has one empty page.
package struct ImportRowsPage: Sendable, Equatable {
    /// Cursor of the following page; nil for the last page.
    package var next: Int?
    /// The list to which the rows belong.
    package var part: ImportPart
    /// The rows' JSON texts joined by commas; empty if there are none.
    package var rows: ByteBuffer

    package init(next: Int?, part: ImportPart, rows: ByteBuffer) {
        self.next = next
        self.part = part
        self.rows = rows
    }

    /// Parses a response; nil if it does not have the documented form.
    package init?(raw: ByteBuffer) {
        guard let page = ResultsPage(raw: raw) else { return nil }
        var rest = page.rows
        for part in ImportPart.allCases {
            let name = "\"\(part.rawValue)\""
            guard rest.getString(at: rest.readerIndex, length: name.utf8.count) == name else { continue }
            rest.moveReaderIndex(forwardBy: name.utf8.count)
            guard rest.readableBytes == 0 || rest.readInteger(as: UInt8.self) == UInt8(ascii: ",") else { return nil }
            self.init(next: page.next, part: part, rows: rest.slice())
            return
        }
        return nil
    }

    /// The text of the response.
    package var raw: ByteBuffer {
        var content = ByteBuffer()
        content.reserveCapacity(rows.readableBytes + 12)
        content.writeString("\"\(part.rawValue)\"")
        if rows.readableBytes > 0 {
            content.writeString(",")
            content.writeImmutableBuffer(rows)
        }
        return ResultsPage(next: next, rows: content).raw
    }
}
