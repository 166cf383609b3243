import BookIdentifiers
import BookstrackContract

/// The keys that identify rows with the same book.
struct RowKeys {
    let isbn: ISBN?
    /// The words that show whether the ISBN belongs to a different book in another row; nil without an ISBN.
    let words: BookWords?
    /// Hash of the fields that identify the same book in rows without a common ISBN; nil for a row with neither a title nor an identifier other than
    /// an ISBN.
    let title: UInt64?

    init(_ book: IdentifyingFields, position: String?, subtitle: String?) {
        isbn = book.isbn
        words =
            isbn == nil
            ? nil
            : CellBytes.of(book.title) { title in
                CellBytes.of(book.authors.first ?? "") { BookWords(title: title, author: $0) }
            }
        title = CellBytes.of(book.title) { title in
            var hasher = Hasher()
            if FoldedText.hash(title, into: &hasher) {
                Self.combine(subtitle, into: &hasher)
            } else {
                // The title has no letters or digits. In a list of identifiers, the same identifier means the same book; a title of other characters
                // is compared unchanged.
                guard book.ids != ImportedIDs() || !title.isEmpty else { return nil }
                hasher.combine(book.title)
                hasher.combine(book.ids.openLibraryEdition ?? book.ids.openLibraryWork)
                hasher.combine(book.ids.asin ?? book.ids.googleVolumeId)
                hasher.combine(book.ids.goodreadsBookId ?? book.ids.librarythingId)
            }
            Self.combine(book.authors.first, into: &hasher)
            Self.combine(book.series?.name, into: &hasher)
            hasher.combine(book.series?.position ?? position)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }

    /// Creates the keys of a row whose cells can be used unchanged; nil if the title has no letters or digits.
    fileprivate init?(
        isbn: ISBN?, title: TitleCell, author: CellBytes, position: String?, subtitle: String?
    ) {
        var hasher = Hasher()
        guard FoldedText.hash(title.title, into: &hasher) else { return nil }
        Self.combine(subtitle, into: &hasher)
        Self.combine(author, into: &hasher)
        Self.combine(title.series, into: &hasher)
        hasher.combine(title.position?.text ?? position)
        self.isbn = isbn
        words = isbn == nil ? nil : BookWords(title: title.title, author: author)
        self.title = UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private static func combine(_ text: String?, into hasher: inout Hasher) {
        guard let text else { return combine(nil as CellBytes?, into: &hasher) }
        CellBytes.of(text) { combine($0, into: &hasher) }
    }

    private static func combine(_ cell: CellBytes?, into hasher: inout Hasher) {
        hasher.combine(cell == nil)
        if let cell { _ = FoldedText.hash(cell, into: &hasher) }
    }
}

extension RowReader {
    /// The keys of a book row, equal to those of the fields that ``kind(of:_:)`` fills in, but computed directly from the row's bytes; nil for a row
    /// that must be read in full, which is rare in most files.
    func quickKeys(of row: RowCells, position: String?, subtitle: String?) -> RowKeys? {
        guard row.count <= plan.columns.count, columns.identifiers == nil, let people = columns.peopleColumns.first,
            let title = quickTitle(row), reasonToSkip(row) == nil
        else { return nil }
        let author = row[people.index]
        // In a tidy cell, JSON escapes only backslashes, which at most doubles the length, so the name is not cut.
        guard isWord(author, atMost: RowLimits.word / 2), RowColumns.names(people).isOneName(author) else { return nil }
        var isbn: ISBN?
        for column in columns.isbns where !row.isEmpty(column.index) {
            let cell = row[column.index]
            if cell.isEmptyFormula { continue }
            guard let number = cell.isbn else { return nil }
            isbn = isbn ?? number
        }
        let mayHaveISBN = columns.ids.contains { $0.role == .asin && row[$0.index].bytes.first?.isASCIIDigit == true }
        if isbn == nil, mayHaveISBN { return nil }
        return RowKeys(isbn: isbn, title: title, author: author, position: position, subtitle: subtitle)
    }

    /// The parts of a title that needs no tidying; nil for other titles.
    func quickTitle(_ row: RowCells) -> TitleCell? {
        guard !isOwnFormat, !row.hasProblems, let column = columns.title, column.rule == nil else { return nil }
        let cell = row[column.index]
        guard isWord(cell, atMost: BookQuery.titleLimit.characters), !CatalogPunctuation.mayOccur(in: cell) else {
            return nil
        }
        return cell.bytes.last == UInt8(ascii: ")") ? SeriesNotation.usual(cell) : TitleCell(title: cell)
    }

    /// Whether the text of a cell can be used unchanged.
    private func isWord(_ cell: CellBytes, atMost limit: Int) -> Bool {
        (1...limit).contains(cell.count) && !CellText.mayBePlaceholder(cell) && cell.isTidy
    }
}
