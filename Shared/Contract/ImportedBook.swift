/// A book in an imported library: the file's content in one format for all applications.
///
/// Several rows of a file may contain the same book; `duplicateRows` then lists the other rows. An optional member is absent if no row has a usable
/// value for it.
public struct ImportedBook: Codable, Sendable, Equatable {
    /// Number of the data row, from 1, not counting the header.
    public var row: Int
    /// Line of the file at which the row starts, from 1.
    public var lineNumber: Int
    /// Title without the series; empty only if the row has an ISBN or another identifier.
    public var title: String
    /// The first author, in reading order; empty if the row has none.
    public var author: String
    /// All authors in reading order, without translators, narrators and other contributors.
    public var authors: [String]
    /// The ISBN as 13 digits.
    public var isbn: String?
    /// The ISBN as 10 characters; absent for ISBNs that begin with 979.
    public var isbn10: String?
    /// The same as `isbn`.
    public var isbn13: String?
    /// What happened to the ISBN cell: `lost` if a spreadsheet rounded the number, or the name of the repair; absent if neither applies.
    public var isbnRepair: String?
    /// Identifiers of the book in other catalogs.
    public var ids: ImportedIDs
    /// The series, and the book's position in it.
    public var series: ImportedSeries?
    /// Subtitle, if the file has it separately.
    public var subtitle: String?
    /// The publisher's name.
    public var publisher: String?
    /// Publication year of the edition.
    public var publicationYear: Int?
    /// Year of the first edition; negative for BCE.
    public var originalYear: Int?
    /// Number of pages.
    public var pageCount: Int?
    /// Language as written in the file.
    public var language: String?
    /// Format of the edition.
    public var format: EditionFormat?
    /// Reading status, as stated in the file or derived from the book's shelves, reading dates or read count; absent if none of these reveals it.
    public var status: ReadingStatus?
    /// Status or exclusive shelf as written in the file.
    public var statusRaw: String?
    /// Shelves and collections, except those that stand for the book's status. If `statusRaw` does not denote a status and the book's status has
    /// another source, `statusRaw` is one of them.
    public var shelves: [String]
    /// Tags and genres.
    public var tags: [String]
    /// Rating from 0.25 to 5 in quarters; absent if unrated.
    public var rating: Double?
    /// Rating as written in the file.
    public var ratingRaw: String?
    /// The readings with a date, at most 200, oldest first.
    public var datesRead: [ReadingDates]
    /// When the book was added to the library (ISO 8601: a day, a month or a year).
    public var dateAdded: String?
    /// Number of times the book was read.
    public var readCount: Int?
    /// Whether the reader owns the book.
    public var owned: Bool?
    /// The reader's review as plain text.
    public var review: String?
    /// The reader's private notes as plain text.
    public var notes: String?
    /// Cells of columns without a role, and cells that no other member can represent, such as a format that is not an ``EditionFormat``.
    public var raw: RawCells
    /// Remarks about the row and its cells.
    public var remarks: [ImportRemark]
    /// Numbers of the other rows with the same book.
    public var duplicateRows: [Int]
    /// The lowest confidence among the columns used, from 0 to 1.
    public var confidence: Double
    /// Always true.
    public var success: Bool

    /// Creates a book that has only its position in the file, a title and an author.
    public init(row: Int, lineNumber: Int, title: String = "", author: String = "") {
        self.row = row
        self.lineNumber = lineNumber
        self.title = title
        self.author = author
        authors = author.isEmpty ? [] : [author]
        ids = ImportedIDs()
        shelves = []
        tags = []
        datesRead = []
        raw = RawCells()
        remarks = []
        duplicateRows = []
        confidence = 1
        success = true
    }
}

extension BookQuery {
    /// Creates the query that looks up an imported book; it contains the Open Library work only if the book has no ISBN.
    package init(_ book: borrowing ImportedBook) {
        self.init(
            title: book.title.isEmpty ? nil : book.lookupTitle,
            author: book.author.isEmpty ? nil : book.author,
            isbn: book.isbn, workId: book.isbn == nil ? book.ids.openLibraryWork : nil, row: book.row)
    }
}

extension ImportedBook {
    /// Title by which the book is looked up.
    ///
    /// For a book without an ISBN, it includes what distinguishes the book from others with the same title: the subtitle or, if there is none and
    /// the title is the name of the series, the position in the series unless that is 1. The form is `Saga, Vol. 2` or, for several volumes from the
    /// first one on and for a position that does not begin with a number, `Saga (Saga, #1-3)`. It is within ``BookQuery/titleLimit``.
    package var lookupTitle: String {
        guard isbn == nil else { return title }
        let words = Self.words(title)
        if let subtitle, case let added = Self.words(subtitle), !added.isEmpty, !words.contains(added) {
            return BookQuery.titleLimit.fit("\(title): \(subtitle)")
        }
        // Catalogs list the first volume without a number as often as with one.
        guard let series, let position = series.position, Double(position) != 1, words == Self.words(series.name) else {
            return title
        }
        // "1-3" may be the whole series, whose record has no number; "Book 2" contains the word for a volume.
        let beginsSeries = position.hasPrefix("1-") || position.hasPrefix("1–")
        let label =
            beginsSeries || position.first?.isNumber != true
            ? " (\(series.name), #\(position))" : ", Vol. \(position)"
        return BookQuery.titleLimit.fit(title + label)
    }

    private static func words(_ text: String) -> [Substring] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }
    }
}

/// Identifiers of an imported book in other catalogs; unknown ones are absent.
public struct ImportedIDs: Codable, Sendable, Equatable {
    /// Goodreads identifier of the book.
    public var goodreadsBookId: String?
    /// LibraryThing identifier of the book.
    public var librarythingId: String?
    /// Open Library work key, such as `OL45804W`.
    public var openLibraryWork: String?
    /// Open Library edition key, such as `OL7353617M`.
    public var openLibraryEdition: String?
    /// Amazon identifier (ASIN), such as `B002RI9176`.
    public var asin: String?
    /// Google Books volume identifier.
    public var googleVolumeId: String?

    /// Creates an empty record.
    public init() {}

    /// Whether the book has no identifier.
    public var isEmpty: Bool { self == ImportedIDs() }
}

/// The series of an imported book.
public struct ImportedSeries: Codable, Sendable, Equatable {
    /// Name of the series.
    public var name: String
    /// Position in the series as written, such as `1`, `0.5` or `1-3`.
    public var position: String?

    /// Creates a series.
    public init(name: String, position: String? = nil) {
        self.name = name
        self.position = position
    }
}

/// Start and end of one reading (ISO 8601: a day, a month or a year).
public struct ReadingDates: Codable, Sendable, Equatable, Hashable {
    /// Date on which the reading started.
    public var start: String?
    /// Date on which the reading ended.
    public var end: String?

    /// Creates a reading.
    public init(start: String? = nil, end: String? = nil) {
        self.start = start
        self.end = end
    }
}

/// Reading status of a book. An unknown word in the file is never mapped to one of these.
public enum ReadingStatus: String, Codable, Sendable, CaseIterable {
    case toRead, reading, read, didNotFinish, paused, owned, wishlist
}

/// A remark about a row or a part of it, for example a cell that was repaired, truncated or dropped.
public struct ImportRemark: Codable, Sendable, Equatable {
    /// What happened.
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// The ISBN is not valid; it was dropped.
        case isbnInvalid
        /// A spreadsheet rounded the ISBN; its last digits are lost.
        case isbnLost
        /// The ISBN was repaired, for example by restoring leading zeros that a spreadsheet had dropped.
        case isbnRestored
        /// The ISBN is that of an earlier row with a different title and author; it was dropped.
        case isbnOfOtherBook
        /// The cell, or an entry of a list in it, is not a date; it was dropped.
        case dateUnreadable
        /// The order of day and month is unknown in this file; only the year was kept.
        case dateAmbiguous
        /// The cell is not a rating; only `ratingRaw` contains it.
        case ratingUnreadable
        /// The cell is not a number; it was dropped.
        case numberUnreadable
        /// The cell is not a year; it was dropped.
        case yearUnreadable
        /// The cell is not an identifier of its kind; it was dropped.
        case idUnreadable
        /// The row has more cells than the file has columns.
        case raggedRow
        /// Text after a closing quote was kept as part of the cell.
        case textAfterQuote
        /// A quote was never closed; the row ends before the next line of the usual width or, if none is near, at the end of its own line.
        case unclosedQuote
        /// Text in an encoding other than the file's was repaired.
        case encodingRepaired
        /// The cell has bytes that are not text; it was dropped, unless it is in `raw`.
        case textUndecodable
        /// The text exceeded the length limit and was truncated.
        case textCut
    }

    /// What happened.
    public var code: Code
    /// The column's name; see `distinctNames` of the file's columns. Absent if the remark is about the whole row or a cell outside the columns.
    public var column: String?

    /// Creates a remark.
    public init(_ code: Code, column: String? = nil) {
        self.code = code
        self.column = column
    }
}

/// Cells by column name, in file order. Cells and names contain ``undecodable`` in place of characters that could not be decoded.
public struct RawCells: Sendable, Equatable {
    /// The symbol `␦` for a character that could not be decoded. Unlike `?`, it does not occur in the text of books.
    public static let undecodable: Unicode.Scalar = "\u{2426}"

    /// One cell.
    public struct Cell: Sendable, Equatable {
        /// The column's name; see `distinctNames` of the file's columns.
        public var column: String
        /// The cell's text.
        public var text: String

        /// Creates a cell.
        public init(column: String, text: String) {
            self.column = column
            self.text = text
        }
    }

    /// The cells; no two belong to the same column.
    public var cells: [Cell]

    /// Creates a record.
    public init(_ cells: [Cell] = []) { self.cells = cells }

    /// The cell in a column; nil if there is none.
    public subscript(column: String) -> String? { cells.first { $0.column == column }?.text }

    /// The texts by column, for looking up many columns.
    var texts: [String: String] {
        Dictionary(cells.map { ($0.column, $0.text) }, uniquingKeysWith: { first, _ in first })
    }
}

extension RawCells: Codable {
    private struct ColumnKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// Decodes an object; its order is not preserved.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ColumnKey.self)
        cells = try container.allKeys.map {
            Cell(column: $0.stringValue, text: try container.decode(String.self, forKey: $0))
        }
    }

    /// Encodes an object in file order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ColumnKey.self)
        for cell in cells { try container.encode(cell.text, forKey: ColumnKey(stringValue: cell.column)) }
    }
}
