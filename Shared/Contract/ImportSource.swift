/// What was recognised about an imported file.
public struct ImportSource: Codable, Sendable, Equatable {
    /// The application that wrote the file.
    public var format: LibraryFormat
    /// Confidence in the format, from 0 to 1.
    public var confidence: Double
    /// Encoding of the text, such as `utf-8` or `windows-1252`.
    public var encoding: String
    /// Character between two cells; empty for a file that has no columns.
    public var delimiter: String
    /// End of a line: `lf`, `crlf` or `cr`.
    public var lineEnd: String
    /// Whether the first row names the columns.
    public var hasHeader: Bool
    /// The columns in the file's order.
    public var columns: [ImportColumn]

    /// Makes a source.
    public init(
        format: LibraryFormat, confidence: Double, encoding: String, delimiter: String, lineEnd: String,
        hasHeader: Bool, columns: [ImportColumn]
    ) {
        self.format = format
        self.confidence = confidence
        self.encoding = encoding
        self.delimiter = delimiter
        self.lineEnd = lineEnd
        self.hasHeader = hasHeader
        self.columns = columns
    }
}

/// One column of an imported file.
public struct ImportColumn: Codable, Sendable, Equatable {
    /// The evidence for a role.
    public enum Evidence: String, Codable, Sendable, CaseIterable {
        /// The application's export is known.
        case format
        /// The words of the header.
        case header
        /// The cells.
        case content
        /// A model's answer that the cells confirm.
        case ai
        /// The client's `mapping`.
        case request
    }

    /// Index in the file, from 0.
    public var index: Int
    /// The header's text; empty in a file without header.
    public var header: String
    /// The meaning of the column; absent if unknown, and its cells are then in `raw` of the books.
    public var role: ColumnRole?
    /// Confidence in the role, from 0 to 1.
    public var confidence: Double
    /// The evidence for the role; absent without one.
    public var by: Evidence?

    /// Makes a column.
    public init(index: Int, header: String, role: ColumnRole? = nil, confidence: Double = 0, by: Evidence? = nil) {
        self.index = index
        self.header = header
        self.role = role
        self.confidence = confidence
        self.by = by
    }
}

/// The meaning of a column of a library file. The names are also the headers of the suite's own CSV files, and the
/// values of `mapping`.
public enum ColumnRole: String, Codable, Sendable, CaseIterable {
    case title, subtitle, author, authors, isbn, isbn10, isbn13
    case status, shelves, tags, rating
    case dateRead, dateStarted, dateAdded, readCount, owned
    case review, notes
    case publisher, publicationYear, originalYear, publicationDate, pageCount, language, format
    case series, position
    case goodreadsBookId, librarythingId, openLibraryWork, openLibraryEdition, asin, googleVolumeId
    /// Kind of item, in a list that also has films or music.
    case mediaType
    /// A column whose cells are dropped.
    case ignore

    /// Whether several columns of one file may have the role.
    public var isRepeatable: Bool {
        switch self {
        case .authors, .shelves, .tags, .notes, .ignore: true
        default: false
        }
    }
}

/// The application or kind of list that wrote a library file. `Formats.tsv` of LibraryImport describes their headers and columns.
public enum LibraryFormat: String, Codable, Sendable, CaseIterable {
    case goodreads, storygraph, librarything
    case librarythingJSON = "librarything-json"
    case bookwyrm
    case bookwyrmGeneric = "bookwyrm-generic"
    case openlibrary, calibre, bookbuddy, hardcover, babelio, openreads, tellico, libib
    case bookCatalogue = "book-catalogue"
    case bookCrawler = "book-crawler"
    case leaf, notion, clz, libby, kindle
    /// The suite's own CSV, whose headers are the names of ``ColumnRole``.
    case bookstrack
    /// One ISBN per line.
    case isbnList = "isbn-list"
    /// One title per line, with or without its author.
    case titleList = "title-list"
    /// Any other table; its columns are recognised one by one.
    case unknown
}
