import BookstrackContract
import JSON
import ServiceKit
import SuiteMethods

/// A validated request to start a batch enrichment.
struct BatchRequest: Equatable {
    /// The client's own identifier, or a new one.
    var jobId: JobID
    /// One row per book, in the order of the request.
    var items: [BookQuery]
    /// The requested priority; if nil, it is derived from the number of books.
    var priority: JobOrigin.Priority?
    /// What triggered the job; nil if it is not specified.
    var source: JobSource?
    /// Where to send webhooks; nil for no webhooks.
    var callbackURL: String?
    /// A token of the job, sent when a start is repeated; nil if none was sent.
    var token: String?

    /// Reads a body. Throws `APIFailure`.
    init(body: [UInt8], limits: BatchLimits) throws {
        var rows = RowLists()
        var jobId: JobID?
        var priority: JobOrigin.Priority?
        var source: JobSource?
        var callbackURL: String?
        var token: String?
        try JSONReader.readBody(body) { reader, key in
            switch key {
            case "jobId": jobId = try reader.readJobID(at: key, shortest: limits.shortestJobID)
            case "priority":
                priority = try reader.readChoice(at: key, "must be high, normal or low")
            case "source":
                source = try reader.readChoice(at: key, "must be manual, search, import, scan, sync or api")
            case "callbackUrl": callbackURL = try reader.readCallback(at: key, limits.webhooks)
            case "token": token = try reader.readText(at: key, limit: JobAccessBody.maxTokenLength)
            case "books": rows.books = try reader.readRows(at: key, limits) { try $0.readBook(at: $1, limits) }
            case "isbns": rows.isbns = try reader.readISBNs(at: key, limits)
            case "barcodes": rows.barcodes = try reader.readISBNs(at: key, limits)
            case "workIds":
                rows.workIds = try reader.readRows(at: key, limits) { reader, place in
                    BookQuery(workId: try reader.readRequiredText(at: place, limit: limits.title))
                }
            default: try reader.skipValue()
            }
        }
        items = try rows.only(limits)
        self.jobId = jobId ?? .random()
        self.priority = priority
        self.source = source
        self.callbackURL = callbackURL
        self.token = token
    }

    /// The alternative lists in a body; of duplicate members, the last one is used (http-api.md "Validation").
    private struct RowLists {
        var books: CountedRows?
        var isbns: CountedRows?
        /// Another name for `isbns`.
        var barcodes: CountedRows?
        var workIds: CountedRows?

        func only(_ limits: BatchLimits) throws -> [BookQuery] {
            let given = [books, isbns, barcodes, workIds].compactMap(\.self)
            guard let rows = given.first, given.count == 1 else {
                throw APIFailure(.invalidRequest, "Provide exactly one of books, isbns, barcodes and workIds.")
            }
            guard rows.count > 0 else { throw APIFailure(.invalidRequest, "The list of books is empty.") }
            guard rows.count <= limits.books else {
                throw APIFailure(
                    .batchTooLarge, "A batch may contain at most \(limits.books) books.",
                    details: ["limit": .integer(limits.books), "count": .integer(rows.count)])
            }
            return rows.rows
        }
    }
}

extension JSONReader {
    /// Reads a list of rows; null counts as absent. Rows beyond the limit are counted, but not kept.
    fileprivate mutating func readRows(
        at place: String, _ limits: BatchLimits, _ row: (inout JSONReader, String) throws -> BookQuery
    ) throws -> CountedRows? {
        switch try peek() {
        case .null:
            try skipValue()
            return nil
        case .array: break
        default: throw APIFailure.invalid(place, "must be a list")
        }
        var list = CountedRows()
        try readArray { reader in
            if list.count < limits.books {
                list.rows.append(try row(&reader, "\(place)[\(list.count)]"))
            } else {
                try reader.skipValue()
            }
            list.count += 1
        }
        return list
    }

    /// Reads one of the cases of a type, which are listed in `rule`; null counts as absent.
    fileprivate mutating func readChoice<Choice: RawRepresentable<String>>(
        at place: String, _ rule: String
    ) throws -> Choice? {
        guard let text = try readText(at: place, limit: 16) else { return nil }
        guard let choice = Choice(rawValue: text) else { throw APIFailure.invalid(place, rule) }
        return choice
    }

    /// Reads an address that webhooks may call; null counts as absent.
    fileprivate mutating func readCallback(at place: String, _ hosts: WebhookHosts) throws -> String? {
        guard let url = try readText(at: place, limit: WebhookHosts.maxLength) else { return nil }
        do throws(WebhookRefusal) {
            _ = try hosts.target(url)
        } catch {
            throw APIFailure.invalid(place, error.reason)
        }
        return url
    }

    fileprivate mutating func readISBNs(at place: String, _ limits: BatchLimits) throws -> CountedRows? {
        try readRows(at: place, limits) { reader, place in
            BookQuery(isbn: try reader.readRequiredText(at: place, limit: limits.isbn))
        }
    }

    /// Reads a book. Unknown members are refused, since a misspelled member would lead to a book that is never found (http-api.md "Validation").
    fileprivate mutating func readBook(at place: String, _ limits: BatchLimits) throws -> BookQuery {
        guard try peek() == .object else { throw APIFailure.invalid(place, "must be an object") }
        var book = BookQuery()
        try readObject { reader, key in
            switch key {
            case "title": book.title = try reader.readText(at: "\(place).title", limit: limits.title)
            case "author": book.author = try reader.readText(at: "\(place).author", limit: limits.author)
            case "isbn": book.isbn = try reader.readText(at: "\(place).isbn", limit: limits.isbn)
            case "workId": book.workId = try reader.readText(at: "\(place).workId", limit: limits.title)
            case "row": book.row = try reader.readCount(at: "\(place).row")
            default:
                throw APIFailure.invalid(
                    "\(place).\(key.prefix(32))",
                    "is unknown; the members of a book are title, author, isbn, workId and row")
            }
        }
        return book
    }
}

/// The rows that were kept, and the total number of rows.
struct CountedRows {
    var rows: [BookQuery] = []
    var count = 0
}

/// Limits of a start request (http-api.md "Validation"). Text lengths are in characters, as in `TextLimit`.
struct BatchLimits {
    /// Maximum number of books per start (`BOOKSTRACK_MAX_BATCH_BOOKS`).
    var books = SettingKey.maxBatchBooks.fallback
    /// Maximum number of books per start by a shipped app, because the apps do not support larger batches (http-api.md "Starting a job").
    private var booksOfApps = 100
    /// The hosts that webhooks may call (`BOOKSTRACK_WEBHOOK_HOSTS`).
    var webhooks = WebhookHosts.none
    /// Minimum length of a client's identifier for its job, in characters.
    var shortestJobID = JobID.shortestNew
    var title = BookQuery.titleLimit.characters
    var author = BookQuery.authorLimit.characters
    var isbn = BookQuery.isbnLimit.characters

    /// The limits for a start by a shipped app, or by any other client.
    func limits(ofShippedApp isShippedApp: Bool) -> BatchLimits {
        guard isShippedApp else { return self }
        var limits = self
        limits.books = min(books, booksOfApps)
        return limits
    }
}
