/// One book of an imported library: what the file says about it, in one form for all applications.
///
/// Several rows of the file may be one book; `duplicateRows` then lists the other ones.
public struct ImportedBook: Codable, Sendable, Equatable {
    /// Number of the data row, from 1, without the header.
    public var row: Int
    /// Line of the file at which the row starts, from 1.
    public var lineNumber: Int
    /// Title without the series; empty only where the row has an ISBN or another identifier.
    public var title: String
    /// The first author, in reading order; empty if the file names none.
    public var author: String
    /// All authors in reading order, without translators, narrators and other contributors.
    public var authors: [String]
    /// The number as 13 digits.
    public var isbn: String?
    /// The number as 10 characters; numbers that begin with 979 have none.
    public var isbn10: String?
    /// The same as `isbn`.
    public var isbn13: String?
    /// How the ISBN's cell was damaged: `lost` if a spreadsheet rounded the number, else the name of the repair.
    public var isbnRepair: String?
    /// Identifiers of the book in other catalogues.
    public var ids: ImportedIDs
    /// Series and place in it.
    public var series: ImportedSeries?
    /// Subtitle, if the file keeps it apart.
    public var subtitle: String?
    /// Publisher.
    public var publisher: String?
    /// Year of the edition.
    public var publicationYear: Int?
    /// Year of the first edition; negative before the common era.
    public var originalYear: Int?
    /// Number of pages.
    public var pageCount: Int?
    /// Language as the file writes it.
    public var language: String?
    /// Form of the edition.
    public var format: EditionFormat?
    /// Reading status; absent if the file has none, or has it in an unknown word.
    public var status: ReadingStatus?
    /// Status or exclusive shelf as the file writes it.
    public var statusRaw: String?
    /// Shelves and collections.
    public var shelves: [String]
    /// Tags and genres.
    public var tags: [String]
    /// Rating from 0 to 5 in quarters; absent if unrated.
    public var rating: Double?
    /// Rating as the file writes it.
    public var ratingRaw: String?
    /// Every reading that has a date, oldest first.
    public var datesRead: [ReadingDates]
    /// Day on which the book came into the library (ISO 8601).
    public var dateAdded: String?
    /// Number of readings.
    public var readCount: Int?
    /// Whether the reader owns the book.
    public var owned: Bool?
    /// The reader's review as plain text.
    public var review: String?
    /// The reader's private notes as plain text.
    public var notes: String?
    /// Cells of columns without a role.
    public var raw: RawCells
    /// Parts of the row that were dropped or repaired.
    public var remarks: [ImportRemark]
    /// Numbers of further rows that are the same book.
    public var duplicateRows: [Int]
    /// The lowest confidence of the columns used, from 0 to 1.
    public var confidence: Double
    /// Always true.
    public var success: Bool

    /// Makes a book that has a row and nothing else.
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

/// Identifiers of an imported book in other catalogues.
public struct ImportedIDs: Codable, Sendable, Equatable {
    /// Number of the book at Goodreads.
    public var goodreadsBookId: String?
    /// Number of the book at LibraryThing.
    public var librarythingId: String?
    /// Open Library's work, such as `OL45804W`.
    public var openLibraryWork: String?
    /// Open Library's edition, such as `OL7353617M`.
    public var openLibraryEdition: String?
    /// Amazon's number, such as `B002RI9176`.
    public var asin: String?
    /// Google Books' volume.
    public var googleVolumeId: String?

    /// Makes an empty record.
    public init() {}

    /// Whether the book has no identifier.
    public var isEmpty: Bool { self == ImportedIDs() }
}

/// Series of an imported book.
public struct ImportedSeries: Codable, Sendable, Equatable {
    /// Name of the series.
    public var name: String
    /// Place in the series as written, such as `1`, `0.5` or `1-3`.
    public var position: String?

    /// Makes a series.
    public init(name: String, position: String? = nil) {
        self.name = name
        self.position = position
    }
}

/// First and last day of one reading (ISO 8601: a day, a month or a year).
public struct ReadingDates: Codable, Sendable, Equatable, Hashable {
    /// Day on which it started.
    public var start: String?
    /// Day on which it ended.
    public var end: String?

    /// Makes a reading.
    public init(start: String? = nil, end: String? = nil) {
        self.start = start
        self.end = end
    }
}

/// What a reader has done with a book. An unknown word in the file never becomes one of these.
public enum ReadingStatus: String, Codable, Sendable, CaseIterable {
    case toRead, reading, read, didNotFinish, paused, owned, wishlist
}

/// Something in a row that was repaired, or dropped because it could not be understood.
public struct ImportRemark: Codable, Sendable, Equatable {
    /// What happened.
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// The number has a wrong check digit, a wrong length or other characters; it was dropped.
        case isbnInvalid
        /// A spreadsheet rounded the number; its last digits are lost.
        case isbnLost
        /// Leading zeros that a spreadsheet had dropped were restored.
        case isbnRestored
        /// The cell is not a date; it was dropped.
        case dateUnreadable
        /// The order of day and month is unknown in this file; only the year was kept.
        case dateAmbiguous
        /// The cell is not a rating; it was dropped.
        case ratingUnreadable
        /// The cell is not a number; it was dropped.
        case numberUnreadable
        /// The cell is not a year; it was dropped.
        case yearUnreadable
        /// The cell is not an identifier of its kind; it was dropped.
        case idUnreadable
        /// The row has more or fewer cells than the header.
        case raggedRow
        /// Text after a closing quote was kept as part of the cell.
        case textAfterQuote
        /// A quote was never closed; the row ends at the next line of the usual width.
        case unclosedQuote
        /// Cells in a different encoding from the file's were repaired.
        case encodingRepaired
        /// The cell has bytes that are not text; it was dropped.
        case textUndecodable
        /// The text was over the length limit; its end was cut off.
        case textCut
    }

    /// What happened.
    public var code: Code
    /// Header of the column, or its number from 0 where it has no header; absent if the remark is about the whole row.
    public var column: String?

    /// Makes a remark.
    public init(_ code: Code, column: String? = nil) {
        self.code = code
        self.column = column
    }
}

/// Cells by the header of their column, in the file's order.
public struct RawCells: Sendable, Equatable {
    /// One cell.
    public struct Cell: Sendable, Equatable {
        /// The column's header, or its number from 0 where it has no header.
        public var column: String
        /// The cell's text.
        public var text: String

        /// Makes a cell.
        public init(column: String, text: String) {
            self.column = column
            self.text = text
        }
    }

    /// The cells. No two have the same column.
    public var cells: [Cell]

    /// Makes a record.
    public init(_ cells: [Cell] = []) { self.cells = cells }

    /// The cell of a column.
    public subscript(column: String) -> String? { cells.first { $0.column == column }?.text }
}

extension RawCells: Codable {
    private struct ColumnKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// Reads an object; its order is not kept.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ColumnKey.self)
        cells = try container.allKeys.map {
            Cell(column: $0.stringValue, text: try container.decode(String.self, forKey: $0))
        }
    }

    /// Writes an object in the file's order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ColumnKey.self)
        for cell in cells { try container.encode(cell.text, forKey: ColumnKey(stringValue: cell.column)) }
    }
}
