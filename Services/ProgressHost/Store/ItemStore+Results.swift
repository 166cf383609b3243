import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import SuiteStorage

// MARK: Rows of results as JSON text

extension ItemStore {
    /// Rows of a job in input order from `cursor` on, as they were recorded: as many as `bytes` hold, but one at least.
    ///
    /// - Parameter titled: Whether a row that was asked without a title has one that names the book, for clients that need it.
    func resultsPage(job: Int64, from cursor: Int, atMost bytes: Int, titled: Bool = false) throws -> ResultsPage {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT item.id, title, author, isbn, work_id, error_code, row
                    FROM item LEFT JOIN result ON result.id = item.result
                    WHERE item.id BETWEEN ? AND ? ORDER BY item.id
                    """),
            arguments: [
                ItemNumber(job: job, index: cursor).rawValue, ItemNumber.range(ofJob: job).upperBound,
            ])
        var page = ByteBuffer()
        while let row = try rows.next() {
            var text = try (row["row"] as Data?) ?? Self.rowWithoutResult(row)
            if titled, row["title"] == nil { text = try Self.titled(text, Self.query(row).displayTitle) }
            if page.readableBytes > 0, page.readableBytes + text.count > bytes {
                return ResultsPage(next: ItemNumber(rawValue: row["id"]).index, rows: page)
            }
            if page.readableBytes > 0 { page.writeString(",") }
            page.writeBytes(text)
        }
        return ResultsPage(next: nil, rows: page)
    }

    /// An item that was never done has no recorded row: the asked row is echoed with the reason.
    private static func rowWithoutResult(_ row: Row) throws -> Data {
        let code = (row["error_code"] as String?).flatMap(ItemErrorCode.init) ?? .cancelled
        var book = EnrichedBook(asked: query(row), success: false)
        book.errorCode = code
        book.error = code == .deadlineExceeded ? "The job ran out of time" : "The job was cancelled"
        book.retryable = code.isRetryable
        return Data(try BodyCoding.encode(book).readableBytesView)
    }

    private static func query(_ row: Row) -> BookQuery {
        BookQuery(title: row["title"], author: row["author"], isbn: row["isbn"], workId: row["work_id"])
    }

    /// A row's text with a title in front of its members, of which none is a title.
    private static func titled(_ row: Data, _ title: String) throws -> Data {
        var text = Data(try BodyCoding.encode(["title": title]).readableBytesView)
        text.removeLast()
        text.append(UInt8(ascii: ","))
        text.append(row.dropFirst())
        return text
    }

    /// The rows for `enrichedBooks[]` of a completion, each with a title, joined by commas: whole while `bytes` hold them, else title,
    /// author, isbn and success of each, else none (websocket.md "Payloads").
    ///
    /// Reads at most `bytes` of either, so that the largest job costs little more than one that fits.
    func completionRows(job: Int64, atMost bytes: Int) throws -> ByteBuffer {
        let whole = try resultsPage(job: job, from: 0, atMost: bytes, titled: true)
        if whole.next == nil, whole.rows.readableBytes <= bytes { return whole.rows }
        let range = ItemNumber.range(ofJob: job)
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT title, author, isbn, work_id, state FROM item WHERE id BETWEEN ? AND ? ORDER BY id
                    """), arguments: [range.lowerBound, range.upperBound])
        var short = ByteBuffer()
        while let row = try rows.next() {
            let asked = Self.query(row)
            // The decoder these are for needs a title and whether there is a result.
            let book = EnrichedBook(
                asked: BookQuery(title: asked.displayTitle, author: asked.author, isbn: asked.isbn),
                success: ItemState(rawValue: row["state"]) == .succeeded)
            if short.readableBytes > 0 { short.writeString(",") }
            short.writeImmutableBuffer(try BodyCoding.encode(book))
            if short.readableBytes > bytes { return ByteBuffer() }
        }
        return short
    }
}
