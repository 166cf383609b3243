package import BookstrackContract
import JSON
import JSONRPC
package import NIOCore

/// The response to a worker's delivery for a reading step.
package struct StepAnswer: Codable, Sendable, Equatable {
    /// Whether the step still belongs to the worker; false, for example, after the end of its job. If it is false, the worker stops reading.
    package var isWanted: Bool

    package init(isWanted: Bool) { self.isWanted = isWanted }
}

/// Delivers a page of rows. The call is answered with a ``StepAnswer`` when the page has been committed. Called by the worker with `callRaw`, one
/// page after the other. A page without a response is resent on the same connection; a page that is already stored is not stored twice.
///
/// The parameters are `{"head":{…},"rows":[row,…]}`; the rows are sliced out, not decoded (Services/README.md "JSON-RPC"). Application errors:
/// `INVALID_REQUEST` for parameters of a different form, and for a page that follows a missing one or gives the linked job too many items;
/// `SERVICE_UNAVAILABLE`, for example while storage refuses writes.
package struct RecordImportRows: Sendable {
    package static let name = "imports.rows"
    package static let deadline = Duration.seconds(15)

    package struct Head: Codable, Sendable, Equatable {
        /// The step that delivers the page.
        package var key: ReadingStepKey
        /// Number of the page within the attempt, from 0.
        package var page: Int
        /// The list to which the page belongs.
        package var part: ImportPart
        /// Number of rows on the page.
        package var rowCount: Int
        /// The same as in ``ImportProgress``.
        package var bytesRead: Int
        /// The linked job's queries for the page's books; nil without a linked job, and on pages of other lists.
        package var queries: [BookQuery]?

        package init(
            key: ReadingStepKey, page: Int, part: ImportPart, rowCount: Int, bytesRead: Int, queries: [BookQuery]? = nil
        ) {
            self.key = key
            self.page = page
            self.part = part
            self.rowCount = rowCount
            self.bytesRead = bytesRead
            self.queries = queries
        }
    }

    package var head: Head
    /// The rows as a JSON array.
    package var rows: ByteBuffer

    package init(head: Head, rows: ByteBuffer) {
        self.head = head
        self.rows = rows
    }

    /// The call's parameters. Throws `EncodingError`.
    package func raw() throws -> ByteBuffer { try ByteBuffer(head: head, "rows", rows) }

    /// Parses parameters created by `raw()`; nil if they have a different form. `raw` is one valid JSON text.
    package init?(raw: ByteBuffer) {
        guard let members = ObjectReader(raw), let head = members.object("head"), let rows = members.json("rows"),
            rows.readableBytesView.first == UInt8(ascii: "["),
            let head = try? BodyCoding.decode(Head.self, from: head)
        else { return nil }
        self.init(head: head, rows: rows)
    }

    /// The rows' JSON texts, joined by commas.
    package var joinedRows: ByteBuffer {
        rows.getSlice(at: rows.readerIndex + 1, length: max(0, rows.readableBytes - 2)) ?? ByteBuffer()
    }
}

/// Completes an import after everything has been read and delivered. The call is answered when the completion is synced to disk; repeating the call
/// has no effect.
///
/// Application errors: `INVALID_REQUEST` if pages are missing, `SERVICE_UNAVAILABLE`, for example while storage refuses writes.
package enum FinishImport: RPCMethod {
    package typealias Result = StepAnswer
    package static let name = "imports.finish"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(15)

    package struct Parameters: Codable, Sendable {
        /// The completed step.
        package var key: ReadingStepKey
        /// Number of pages that the attempt delivered.
        package var pages: Int
        /// The counts of the whole file.
        package var summary: ImportSummary
        /// The AI model that identified columns; nil if none did.
        package var modelUsed: String?

        package init(key: ReadingStepKey, pages: Int, summary: ImportSummary, modelUsed: String? = nil) {
            self.key = key
            self.pages = pages
            self.summary = summary
            self.modelUsed = modelUsed
        }
    }
}

/// Fails an import whose file cannot be imported. The call is answered when the failure is synced to disk; repeating the call has no effect.
///
/// Application errors: `SERVICE_UNAVAILABLE`, for example while storage refuses writes.
package enum FailImport: RPCMethod {
    package typealias Result = StepAnswer
    package static let name = "imports.fail"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(15)

    package struct Parameters: Codable, Sendable {
        /// The failed step.
        package var key: ReadingStepKey
        /// Why the import fails.
        package var failure: ImportFault

        package init(key: ReadingStepKey, failure: ImportFault) {
            self.key = key
            self.failure = failure
        }
    }
}
