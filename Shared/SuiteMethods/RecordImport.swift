package import BookstrackContract
import JSON
import JSONRPC
package import NIOCore

/// The answer to a worker's delivery for a reading step.
package struct StepAnswer: Codable, Sendable, Equatable {
    /// False if the step no longer belongs to the worker because it was cancelled, has ended, or is leased as another
    /// attempt. The worker then stops reading.
    package var isWanted: Bool

    package init(isWanted: Bool) { self.isWanted = isWanted }
}

/// Delivers a page of rows; answered with a ``StepAnswer`` when it is committed. Called with `callRaw`, from the worker, one page after the
/// other: a page is sent again until it is answered, and one that is already stored is not stored twice.
///
/// The parameters are `{"head":{…},"rows":[row,…]}` in exactly this order; the rows are cut out, not decoded (Services/README.md
/// "JSON-RPC"). Application errors: `INVALID_REQUEST` for a page out of turn, `SERVICE_UNAVAILABLE` while storage refuses.
package struct RecordImportRows: Sendable {
    package static let name = "imports.rows"
    package static let deadline = Duration.seconds(15)

    package struct Head: Codable, Sendable, Equatable {
        /// The step.
        package var key: ReadingStepKey
        /// Number of the page among all of the attempt, from 0.
        package var page: Int
        /// The list it belongs to.
        package var part: ImportPart
        /// Number of rows.
        package var rowCount: Int
        /// Same as in ``ImportProgress``.
        package var bytesRead: Int
        /// The linked job's queries for the page's books; nil without a linked job.
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
    /// A JSON array.
    package var rows: ByteBuffer

    package init(head: Head, rows: ByteBuffer) {
        self.head = head
        self.rows = rows
    }

    /// The call's parameters. Throws `EncodingError`.
    package func raw() throws -> ByteBuffer {
        let head = try BodyCoding.encode(head)
        var buffer = ByteBuffer()
        buffer.reserveCapacity(head.readableBytes + rows.readableBytes + 20)
        buffer.writeString("{\"head\":")
        buffer.writeImmutableBuffer(head)
        buffer.writeString(",\"rows\":")
        buffer.writeImmutableBuffer(rows)
        buffer.writeString("}")
        return buffer
    }

    /// Reads parameters that were made by `raw()`; nil when they do not have that shape. `raw` is one valid JSON text.
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

/// Completes an import after everything is read and delivered. Answered when this is synced; repeating it is harmless.
///
/// Application errors: `INVALID_REQUEST` when pages are missing, `SERVICE_UNAVAILABLE` while storage refuses.
package enum FinishImport: RPCMethod {
    package typealias Result = StepAnswer
    package static let name = "imports.finish"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(15)

    package struct Parameters: Codable, Sendable {
        /// The step.
        package var key: ReadingStepKey
        /// Number of pages that the attempt delivered.
        package var pages: Int
        /// The counts of the whole file.
        package var summary: ImportSummary
        /// The model that was asked for the columns' roles; nil when none was.
        package var modelUsed: String?

        package init(key: ReadingStepKey, pages: Int, summary: ImportSummary, modelUsed: String? = nil) {
            self.key = key
            self.pages = pages
            self.summary = summary
            self.modelUsed = modelUsed
        }
    }
}

/// Fails an import whose file no worker can read as a library. Answered when this is synced; repeating it is harmless.
///
/// Application errors: `SERVICE_UNAVAILABLE` while storage refuses.
package enum FailImport: RPCMethod {
    package typealias Result = StepAnswer
    package static let name = "imports.fail"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(15)

    package struct Parameters: Codable, Sendable {
        /// The step.
        package var key: ReadingStepKey
        /// Why.
        package var failure: ImportFault

        package init(key: ReadingStepKey, failure: ImportFault) {
            self.key = key
            self.failure = failure
        }
    }
}
