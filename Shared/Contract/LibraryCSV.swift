/// The suite's own CSV format for a library (RFC 4180, UTF-8). Importing the file again restores the data of the books, apart from original spellings
/// such as `ratingRaw`.
///
/// Columns are named after ``ColumnRole``; further columns contain the cells in ``ImportedBook/raw``, under their distinct names. Lists are joined with
/// `; `, and a `;` inside an entry is doubled. A reading in `dateRead` is `end`, `start/` or `start/end`.
public struct LibraryCSV: Sendable {
    private static let columns: [(role: ColumnRole, cell: @Sendable (ImportedBook) -> String?)] = [
        (.title, { $0.title }), (.subtitle, { $0.subtitle }), (.author, { $0.author }),
        (.authors, { list($0.authors) }), (.isbn13, { $0.isbn13 ?? $0.isbn }),
        (.isbn10, { $0.isbn10 }), (.status, { $0.status?.rawValue ?? $0.statusRaw }),
        (.shelves, { list($0.shelves) }), (.tags, { list($0.tags) }),
        (.rating, { $0.rating.map { "\($0)" } }),
        (.dateRead, { $0.datesRead.map(\.cell).joined(separator: "; ") }), (.dateAdded, { $0.dateAdded }),
        (.readCount, { $0.readCount.map { "\($0)" } }), (.owned, { $0.owned.map { "\($0)" } }),
        (.review, { $0.review }), (.notes, { $0.notes }), (.publisher, { $0.publisher }),
        (.publicationYear, { $0.publicationYear.map { "\($0)" } }),
        (.originalYear, { $0.originalYear.map { "\($0)" } }), (.pageCount, { $0.pageCount.map { "\($0)" } }),
        (.language, { $0.language }), (.format, { $0.format?.rawValue }), (.series, { $0.series?.name }),
        (.position, { $0.series?.position }), (.goodreadsBookId, { $0.ids.goodreadsBookId }),
        (.librarythingId, { $0.ids.librarythingId }), (.openLibraryWork, { $0.ids.openLibraryWork }),
        (.openLibraryEdition, { $0.ids.openLibraryEdition }), (.asin, { $0.ids.asin }),
        (.googleVolumeId, { $0.ids.googleVolumeId }),
    ]

    private static func list(_ entries: [String]) -> String {
        // Bytes are split, because in a string, a semicolon may form one character with its neighbors.
        entries.map {
            $0.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Substring.init)
                .joined(separator: ";;")
        }.joined(separator: "; ")
    }

    /// Headers that are read as those of a role. The last three are not written.
    private static let roleHeaders =
        (columns.map(\.role) + [.dateStarted, .publicationDate, .mediaType]).map(\.rawValue)

    /// Roles whose cells remain in ``ImportedBook/raw``, unchanged, if no member of a book can represent them.
    private static let keptRoles: Set<ColumnRole> = [.format, .owned, .position]

    /// The further columns: the header that is written, and the name in ``RawCells``. They differ if the name is also the header of a role.
    private let rawColumns: [(header: String, name: String)]

    /// Creates a file for the books of an import.
    public init(source: ImportSource) {
        let kept = source.format == .bookstrack ? [] : Self.keptRoles
        let names = zip(source.columns, source.columns.distinctNames).filter { column, _ in
            column.role.map(kept.contains) ?? true
        }.map { $0.1 }
        let headers = (Self.roleHeaders + names).distinct.dropFirst(Self.roleHeaders.count)
        rawColumns = zip(headers, names).map { (header: $0, name: $1) }
    }

    /// The header line, including its line break.
    public var header: String {
        Self.line(Self.columns.map(\.role.rawValue) + rawColumns.map { Self.guarded($0.header) })
    }

    /// The line for a book, including its line break.
    public func line(_ book: ImportedBook) -> String {
        let raw = book.raw.texts
        return Self.line(
            Self.columns.map { Self.guarded($0.cell(book) ?? "") }
                + rawColumns.map { Self.guarded(raw[$0.name] ?? "") })
    }

    /// Escapes a cell so that no spreadsheet interprets it as a formula: one `'` is prepended if the cell starts with a formula character, or with
    /// apostrophes followed by one. Reading the file removes exactly one `'`.
    static func guarded(_ cell: String) -> String {
        switch cell.utf8.first(where: { $0 != UInt8(ascii: "'") }) {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
            UInt8(ascii: "\r"):
            "'" + cell
        default: cell
        }
    }

    /// A line, including its line break. Cells are quoted if necessary.
    static func line(_ cells: [String]) -> String {
        cells.map(quoted).joined(separator: ",") + "\r\n"
    }

    private static func quoted(_ cell: String) -> String {
        let utf8 = cell.utf8
        guard needsQuotes(utf8) else { return cell }
        // Bytes are compared, because in a string, a quote and a following combining mark form one character.
        var bytes = [UInt8(ascii: "\"")]
        bytes.reserveCapacity(utf8.count + 2)
        for byte in utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a cell would be misread without quotes. This includes cells with a leading apostrophe, which some programs use as a quote.
    private static func needsQuotes(_ cell: String.UTF8View) -> Bool {
        let space = UInt8(ascii: " ")
        if cell.first == space || cell.last == space || cell.first == UInt8(ascii: "'") { return true }
        return cell.contains { byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
            default: false
            }
        }
    }
}

/// The rows of a library file that could not be read as books, with the file's own header and their original cells, so they can be corrected and
/// imported again. Characters that could not be decoded are written as U+FFFD, so that a row that is not corrected fails again.
public struct FailedRowsCSV: Sendable {
    private let headers: [String]
    /// The names of the columns in ``RawCells``.
    private let names: [String]
    private let known: Set<String>
    private let hasHeader: Bool

    /// Creates a file for the rows of an import.
    public init(source: ImportSource) {
        headers = source.columns.map(\.name)
        names = source.columns.distinctNames
        known = Set(names)
        hasHeader = source.hasHeader
    }

    /// The header line, including its line break; empty if the file had no header.
    public var header: String { hasHeader ? line(headers) : "" }

    /// The line for a row, including its line break.
    public func line(_ row: ImportRowError) -> String {
        let raw = row.raw.texts
        let further = row.raw.cells.filter { !known.contains($0.column) }
            .sorted { ($0.column.utf8.count, $0.column) < ($1.column.utf8.count, $1.column) }
        return line(names.map { raw[$0] ?? "" } + further.map(\.text))
    }

    private func line(_ cells: [String]) -> String {
        LibraryCSV.line(
            cells.map { cell in
                guard cell.unicodeScalars.contains(RawCells.undecodable) else { return cell }
                let scalars = cell.unicodeScalars.map { $0 == RawCells.undecodable ? "\u{FFFD}" : $0 }
                return String(String.UnicodeScalarView(scalars))
            })
    }
}

extension ReadingDates {
    /// The reading as a `dateRead` cell.
    fileprivate var cell: String {
        guard let start else { return end ?? "" }
        return "\(start)/\(end ?? "")"
    }
}
