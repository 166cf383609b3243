import BookIdentifiers
import BookstrackContract

enum RowKind {
    case book
    case error(ImportRowError.Code, title: String)
    case skipped(SkippedRow.Reason)
}

/// The fields that identify a book: title (without the series), series, authors, ISBN and identifiers.
struct IdentifyingFields {
    var title = ""
    var series: ImportedSeries?
    var authors: [String] = []
    var isbn: ISBN?
    var isbnRepair: String?
    var ids = ImportedIDs()
    var remarks: [ImportRemark] = []
}

/// Turns rows into books according to a column plan.
final class RowReader: Sendable {
    let plan: ColumnPlan
    let columns: RowColumns
    /// Whether the file is the suite's own, so cells need no tidying.
    let isOwnFormat: Bool
    /// Unique names of the columns.
    let names: [String]
    /// The folded headers; empty if there is none.
    private let headers: [String]
    /// Size of the first header in bytes.
    private let headerLength: Int
    private let hasASCIIHeader: Bool
    /// Maximum size in bytes of a cell in another table's header.
    private static let maxHeader = 64
    private let confidence: Double

    init(plan: ColumnPlan) {
        self.plan = plan
        columns = RowColumns(plan)
        isOwnFormat = plan.format == .bookstrack
        headers = plan.hasHeader ? plan.columns.map { FoldedText.fold($0.header) } : []
        let first = plan.columns.first?.header ?? ""
        (headerLength, hasASCIIHeader) = (first.utf8.count, first.utf8.allSatisfy { $0 < 0x80 })
        names = plan.importColumns.distinctNames
        let used = plan.columns.filter { $0.role != nil && $0.role != .ignore }
        confidence = ((used.map(\.confidence).min() ?? 0) * 100).rounded() / 100
    }

    // MARK: Cells

    /// A cell as written in the file (in the suite's own file, without the apostrophe that its writer prepends); empty if its bytes are not text.
    @inline(__always)
    func cell(_ row: RowCells, _ column: RowColumns.Column?) -> CellBytes {
        guard let column, !row.isEmpty(column.index) else { return CellBytes() }
        if row.hasProblems, row.problems.contains(RowProblem(.undecodable, column: column.index)) {
            return CellBytes()
        }
        let cell = row[column.index]
        return isOwnFormat ? cell.unguarded : cell
    }

    /// A cell as a single line of text.
    func line(_ row: RowCells, _ column: RowColumns.Column?) -> String {
        let cell = cell(row, column)
        return isOwnFormat ? cell.text : CellText.line(cell)
    }

    /// Cells as written in the file, and the columns whose cells were truncated or dropped because of the limit ``RowLimits/rawCells``.
    ///
    /// - Parameter restoring: Whether to remove the apostrophe that the suite's writer prepends to a cell.
    func rawCells(
        _ row: RowCells, columns: some Sequence<Int>, restoring: Bool = false
    ) -> (cells: RawCells, cut: [Int]) {
        var (cells, cut, left) = ([RawCells.Cell](), [Int](), RowLimits.rawCells)
        for column in columns where !row.isEmpty(column) {
            let name = column < names.count ? names[column] : String(column)
            let whole = restoring ? row[column].unguarded.text : row[column].text
            let kept = RowLimits.cut(whole, to: max(0, left - JSONText.length(of: name)))
            let cell = RawCells.Cell(column: name, text: kept ?? whole)
            if kept != nil { cut.append(column) }
            left -= RowLimits.size(cell)
            if !cell.text.isEmpty { cells.append(cell) }
        }
        return (RawCells(cells), cut)
    }

    // MARK: Identifying fields

    /// Determines the kind of a row and fills in the fields that identify the book.
    func kind(of row: RowCells, _ book: inout IdentifyingFields) -> RowKind {
        if let reason = reasonToSkip(row) { return .skipped(reason) }
        book = IdentifyingFields()
        let quickTitle = quickTitle(row)
        var title = quickTitle == nil ? wholeTitle(row) : ""
        if row.hasProblems, let code = fatalProblem(row) { return .error(code, title: title) }
        readAuthors(row, into: &book)
        readISBN(row, into: &book)
        readIDs(row, into: &book)
        if !isOwnFormat { title = withoutCatalogPunctuation(title, &book) }
        guard quickTitle != nil || !title.isEmpty || book.isbn != nil || !book.ids.isEmpty else {
            return .error(.noTitle, title: "")
        }
        guard BookQuery.titleLimit.admits(title) else {
            return .error(.titleTooLong, title: BookQuery.titleLimit.fit(title))
        }
        if let quickTitle {
            (book.title, book.series) = quickTitle.texts
        } else if isOwnFormat || title.utf8.last != UInt8(ascii: ")") {
            book.title = title
        } else {
            (book.title, book.series) = SeriesNotation.split(title: title)
        }
        return .book
    }

    /// The title, including its series; empty for a word that stands for a missing title.
    private func wholeTitle(_ row: RowCells) -> String {
        let line = line(row, columns.title)
        let title = columns.title?.rule == .numbered ? Numbering.without(line) : line
        return !isOwnFormat && CellText.isPlaceholder(title: title) ? "" : title
    }

    /// The title without a library catalog's statement of responsibility, kind of medium and marks. The statement's names are used if the row has no
    /// others.
    private func withoutCatalogPunctuation(_ title: String, _ book: inout IdentifyingFields) -> String {
        guard CellBytes.of(title, CatalogPunctuation.mayOccur) else { return title }
        guard let parts = CatalogPunctuation.split(title: title, authors: book.authors) else {
            return CatalogPunctuation.withoutMedium(CatalogPunctuation.withoutMark(title))
        }
        if book.authors.isEmpty {
            let names = AuthorNames(separator: .any, order: .any).names(CatalogPunctuation.names(in: parts.statement))
            book.authors = RowLimits.cut(names)
        }
        return CatalogPunctuation.withoutMedium(parts.title)
    }

    func reasonToSkip(_ row: RowCells) -> SkippedRow.Reason? {
        if row.count == 1, Self.isComment(row[0].text) { return .comment }
        if let column = columns.mediaType, MediaKind.isOther(cell(row, column).text) { return .otherMedia }
        if let column = columns.formats.first, column.rule == .media, MediaKind.isOther(cell(row, column).text) {
            return .otherMedia
        }
        if let column = columns.deleted, CellNumber.flag(cell(row, column)) == true { return .deleted }
        return isHeaderAgain(row) ? .repeatedHeader : nil
    }

    /// Whether a row's only cell is a comment or a conflict marker. A title may begin with #, as "#GIRLBOSS" does, but not with "# " or "##".
    private static func isComment(_ cell: String) -> Bool {
        cell == "#" || ["# ", "##", "<<<<<<<", "=======", ">>>>>>>"].contains(where: cell.hasPrefix)
    }

    /// Whether a row repeats the header: at least two cells are filled, and each of them is the header of its column. In the suite's own file, all
    /// cells must be filled, because any words can be a title and an author. ``FileSurvey`` finds headers with other words.
    private func isHeaderAgain(_ row: RowCells) -> Bool {
        guard headers.count > 1, mayBeHeader(row[0]) else { return false }
        let filled = (0..<row.count).filter { !row.isEmpty($0) }
        return filled.count >= (isOwnFormat ? headers.count : 2)
            && filled.allSatisfy { $0 < headers.count && FoldedText.fold(row[$0].text) == headers[$0] }
    }

    /// Whether a cell might equal the first header; false for most cells, which therefore need not be folded.
    private func mayBeHeader(_ cell: CellBytes) -> Bool {
        cell.isEmpty || cell.count == headerLength || !hasASCIIHeader || !cell.isTidy || !cell.isASCII
    }

    /// Whether a row below the header can only be a header, too. Most rows have a number or a long text, so their words need not be looked up.
    func isHeader(_ row: RowCells) -> Bool {
        guard headers.count > 1, !isOwnFormat, (0..<row.count).allSatisfy({ Self.mayBeAnyHeader(row[$0]) }),
            !HeaderVocabulary.roles(row[0].text).isEmpty
        else { return false }
        return HeaderVocabulary.isHeader((0..<row.count).map { row[$0].text })
    }

    /// Whether the rows below a second header can be read like those above it: each of its cells has a word for the role of its column, or the
    /// column has no header or no role, as one that was added later. If not, it is the header of another table, as in two joined exports of different
    /// applications.
    func fitsColumns(_ header: RowCells) -> Bool {
        (0..<header.count).allSatisfy { index in
            guard index < headers.count, !headers[index].isEmpty, !header.isEmpty(index),
                let role = plan.columns[index].role, role != .ignore
            else { return true }
            let text = header[index].text
            return FoldedText.fold(text) == headers[index]
                || HeaderVocabulary.roles(text).keys.contains { Self.kind($0) == Self.kind(role) }
        }
    }

    /// The role, or the one of which it is a variant.
    private static func kind(_ role: ColumnRole) -> ColumnRole {
        switch role {
        case .authors: .author
        case .isbn10, .isbn13: .isbn
        default: role
        }
    }

    private static func mayBeAnyHeader(_ cell: CellBytes) -> Bool {
        cell.count <= maxHeader && cell.bytes.first?.isASCIIDigit != true
    }

    /// The error if the title or the author contains bytes that are not text; nil otherwise.
    private func fatalProblem(_ row: RowCells) -> ImportRowError.Code? {
        let vital = [columns.title, columns.author, columns.authors.first].compactMap { $0?.index }
        return row.problems.contains { $0.kind == .undecodable && vital.contains($0.column) } ? .undecodable : nil
    }

    private func readAuthors(_ row: RowCells, into book: inout IdentifyingFields) {
        guard !isOwnFormat else { return readOwnAuthors(row, into: &book) }
        var authors = DistinctNames()
        for column in columns.peopleColumns where !row.isEmpty(column.index) && !authors.isFull {
            var found =
                column.rule == .familyName
                ? joinedName(row, column) : RowColumns.names(column).names(cell(row, column))
            if column.rule == .barLastFirst, let roles = columns.contributorRoles, !row.isEmpty(roles.index) {
                let roles = cell(row, roles).text.split(separator: "|", omittingEmptySubsequences: false)
                found = found.indices.filter {
                    $0 >= roles.count || AuthorNames.isAuthor(role: String(roles[$0].trimmed))
                }
                .map { found[$0] }
            }
            authors.add(found)
        }
        book.authors = RowLimits.cut(authors.names)
    }

    private func readOwnAuthors(_ row: RowCells, into book: inout IdentifyingFields) {
        let names = columns.authors.flatMap { WordList.ownEntries(cell(row, $0).text) }
        let author = cell(row, columns.author).text
        book.authors = RowLimits.cut(names.isEmpty && !author.isEmpty ? [author] : names)
    }

    /// The name composed from the columns of given names and family names.
    private func joinedName(_ row: RowCells, _ family: RowColumns.Column) -> [String] {
        let given = columns.givenName.map { line(row, $0) } ?? ""
        return [CellText.singleSpaced(given + " " + line(row, family))]
    }

    // MARK: Numbers and identifiers

    private func readISBN(_ row: RowCells, into book: inout IdentifyingFields) {
        for column in columns.isbns where !row.isEmpty(column.index) {
            switch CellISBN(cell(row, column)) {
            case .none: break
            case .number(let isbn, let repair):
                guard book.isbn == nil else { continue }
                book.isbn = isbn
                book.isbnRepair = repair?.name
                if repair != nil { book.remarks.append(ImportRemark(.isbnRestored, column: names[column.index])) }
            case .lost:
                if book.isbn == nil { book.remarks.append(ImportRemark(.isbnLost, column: names[column.index])) }
            case .invalid:
                let text = CellText.value(cell(row, column))
                if column.rule == .uid, CellIdentifier.isASIN(text) {
                    book.ids.asin = text
                } else if book.isbn == nil, column.rule != .uid {
                    book.remarks.append(ImportRemark(.isbnInvalid, column: names[column.index]))
                }
            }
        }
        if book.isbn == nil, row.count > plan.columns.count { book.isbn = isbnBehindLastColumn(row) }
        if book.isbn == nil, book.remarks.contains(where: { $0.code == .isbnLost }) { book.isbnRepair = "lost" }
    }

    /// Removes an ISBN that belongs to a different book in an earlier row, and adds a remark.
    func dropISBN(of book: inout IdentifyingFields, _ row: RowCells) {
        (book.isbn, book.isbnRepair) = (nil, nil)
        let column = columns.isbns.first { CellISBN(cell(row, $0)).isbn != nil }
        book.remarks.append(ImportRemark(.isbnOfOtherBook, column: column.map { names[$0.index] }))
    }

    /// The ISBN of a row whose cells are shifted because one of them contains an unquoted delimiter.
    private func isbnBehindLastColumn(_ row: RowCells) -> ISBN? {
        (plan.columns.count..<row.count).lazy.compactMap { ISBN(CellText.value(row[$0])) }.first
    }

    private func readIDs(_ row: RowCells, into book: inout IdentifyingFields) {
        for column in columns.ids where !row.isEmpty(column.index) {
            let cell = cell(row, column)
            if column.role == .goodreadsBookId, (1...12).contains(cell.count), cell.isDigits {
                book.ids.goodreadsBookId = cell.text
                continue
            }
            let text = CellText.value(cell)
            // The Amazon identifier of a printed book is its ISBN-10.
            if column.role == .asin, book.isbn == nil { book.isbn = ISBN(text) }
            if !text.isEmpty, let role = column.role, !book.ids.take(text, as: role) {
                book.remarks.append(ImportRemark(.idUnreadable, column: names[column.index]))
            }
        }
        guard let column = columns.identifiers, !row.isEmpty(column.index) else { return }
        for pair in cell(row, column).text.split(separator: ",") {
            let parts = pair.split(separator: ":", maxSplits: 1).map { String($0.trimmed) }
            guard parts.count == 2 else { continue }
            switch parts[0].lowercased() {
            case "isbn" where book.isbn == nil:
                if let isbn = CellISBN(parts[1]).isbn { (book.isbn, book.isbnRepair) = (isbn, nil) }
            case "goodreads": book.ids.take(parts[1], as: .goodreadsBookId)
            case "amazon", "asin", "mobi-asin": book.ids.take(parts[1], as: .asin)
            case "google": book.ids.take(parts[1], as: .googleVolumeId)
            case "openlibrary": book.ids.take(parts[1], as: .openLibraryEdition)
            default: break
            }
        }
    }

    // MARK: Outcomes

    /// Fills in the book of a row.
    ///
    /// - Parameter memories: Reused from row to row.
    func fill(
        _ book: inout ImportedBook, _ fields: borrowing IdentifyingFields, _ row: RowCells, _ decisions: FileDecisions,
        _ memories: inout CellMemories
    ) {
        book.title = fields.title
        book.authors = fields.authors
        book.author = book.authors.first ?? ""
        book.isbn = fields.isbn?.isbn13
        book.isbn13 = book.isbn
        book.isbn10 = fields.isbn?.isbn10
        book.isbnRepair = fields.isbnRepair
        book.ids = fields.ids
        book.series = fields.series
        book.remarks = fields.remarks
        book.confidence = confidence
        BookDetails(reader: self, row: row, decisions: decisions).fill(&book, &memories)
    }

    /// What is wrong with the row's first invalid ISBN; nil if there is none.
    private func isbnFault(_ row: RowCells) -> ISBNError? {
        columns.isbns.lazy.filter { $0.rule != .uid }.compactMap { CellISBN(self.cell(row, $0)).fault }.first
    }

    /// Creates the error for a row. If the row has no title but an invalid ISBN, the error's sentence is about the ISBN.
    func error(_ code: ImportRowError.Code, title: String, _ row: RowCells, number: Int) -> ImportRowError {
        let isbn = columns.isbns.lazy.map { self.cell(row, $0) }.first { !$0.isEmpty }?.text
        let fault = code == .noTitle ? isbnFault(row) : nil
        return ImportRowError(
            row: number, lineNumber: row.lineNumber, title: title, isbn: isbn.map(BookQuery.isbnLimit.fit),
            error: fault?.sentence ?? code.sentence, code: code, raw: rawCells(row, columns: 0..<row.count).cells)
    }
}

extension ImportRowError.Code {
    /// The reason in a sentence.
    var sentence: String {
        switch self {
        case .noTitle: "The row has no title, no ISBN and no other identifier."
        case .titleTooLong: "The title is longer than \(BookQuery.titleLimit.characters) characters."
        case .undecodable: "The title or the author contains bytes that are not text."
        case .brokenRow: "The row's quotation marks are malformed."
        }
    }
}
