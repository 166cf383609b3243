/// The recognized properties of an imported file.
public struct ImportSource: Codable, Sendable, Equatable {
    /// The application that wrote the file.
    public var format: LibraryFormat
    /// Confidence in the format, from 0 to 1.
    public var confidence: Double
    /// Encoding of the text, such as `utf-8` or `windows-1252`.
    public var encoding: String
    /// Column delimiter; empty for a file that has no columns.
    public var delimiter: String
    /// Line ending: `lf`, `crlf` or `cr`.
    public var lineEnd: String
    /// Whether the first row is a header.
    public var hasHeader: Bool
    /// The columns, in file order.
    public var columns: [ImportColumn]

    /// Creates a source.
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
        /// The known export format of the application.
        case format
        /// The words in the header.
        case header
        /// The values of the cells.
        case content
        /// An AI model's suggestion, confirmed by the cells.
        case ai
        /// The client's `mapping`.
        case request
    }

    /// Index in the file, from 0.
    public var index: Int
    /// The header's text; empty if the column has no header.
    public var header: String
    /// The meaning of the column; absent if unknown. The cells of an unknown column are in the books' `raw` member.
    public var role: ColumnRole?
    /// Confidence in the role, from 0 to 1.
    public var confidence: Double
    /// The evidence for the role; absent if the role is unknown.
    public var by: Evidence?

    /// Creates a column.
    public init(index: Int, header: String, role: ColumnRole? = nil, confidence: Double = 0, by: Evidence? = nil) {
        self.index = index
        self.header = header
        self.role = role
        self.confidence = confidence
        self.by = by
    }
}

extension ImportColumn {
    /// The header, or the number of a column without one.
    package var name: String { header.isEmpty ? "\(index)" : header }
}

extension [ImportColumn] {
    /// The names of a file's columns in ``RawCells``. A repeated name is numbered, without taking the name of another column: `X, X, X (2)` become
    /// `X, X (3), X (2)`.
    public var distinctNames: [String] { map(\.name).distinct }
}

extension [String] {
    /// The names, with a number added to each that repeats an earlier one.
    var distinct: [String] {
        var taken = Set(self)
        var counts: [String: Int] = [:]
        return map { name in
            guard var count = counts[name] else {
                counts[name] = 1
                return name
            }
            repeat { count += 1 } while !taken.insert("\(name) (\(count))").inserted
            counts[name] = count
            return "\(name) (\(count))"
        }
    }
}

/// The meaning of a column in a library file. The names are also the headers of the suite's own CSV files and the values of `mapping`.
public enum ColumnRole: String, Codable, Sendable, CaseIterable {
    case title, subtitle, author, authors, isbn, isbn10, isbn13
    case status, shelves, tags, rating
    case dateRead, dateStarted, dateAdded, readCount, owned
    case review, notes
    case publisher, publicationYear, originalYear, publicationDate, pageCount, language, format
    case series, position
    case goodreadsBookId, librarythingId, openLibraryWork, openLibraryEdition, asin, googleVolumeId
    /// Kind of item, in a list that also contains films or music.
    case mediaType
    /// A column that is ignored.
    case ignore

    /// Whether several columns of a file may have the role.
    public var isRepeatable: Bool {
        switch self {
        case .authors, .shelves, .tags, .notes, .ignore: true
        default: false
        }
    }
}

/// The application that wrote a library file, or the kind of list that it contains. `Formats.tsv` in LibraryImport describes the headers and columns
/// of each application.
public enum LibraryFormat: String, Codable, Sendable, CaseIterable {
    case goodreads, storygraph, librarything
    case librarythingJSON = "librarything-json"
    case bookwyrm
    case bookwyrmGeneric = "bookwyrm-generic"
    case openlibrary, calibre, bookbuddy, hardcover, babelio, openreads, tellico, libib
    case bookCatalogue = "book-catalogue"
    case bookCrawler = "book-crawler"
    case leaf, notion, clz, libby, kindle
    /// The suite's own CSV, with the names of ``ColumnRole`` as headers.
    case bookstrack
    /// One ISBN per line.
    case isbnList = "isbn-list"
    /// One title per line, with or without its author.
    case titleList = "title-list"
    /// Any other table; its columns are recognized one by one.
    case unknown
}
