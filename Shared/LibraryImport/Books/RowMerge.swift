import BookstrackContract

/// Merges the rows of one book. Most fields keep their first value. Of subtitles, reviews and notes, the longest is kept; of statuses, the most
/// advanced; of dates added, the earliest; of read counts, the highest; of series, the first with a position or, if none has one, the first. A longer
/// list of authors is preferred if it contains the first author. A book owned in any row is owned. Shelves, tags, raw cells, remarks and reading
/// dates are combined, up to a limit.
enum RowMerge {
    /// Adds the data of a later row to the book from an earlier row.
    static func add(_ other: ImportedBook, to book: inout ImportedBook) {
        if book.title.isEmpty { book.title = other.title }
        if other.authors.count > book.authors.count, book.author.isEmpty || other.authors.contains(book.author) {
            (book.authors, book.author) = (other.authors, other.author)
        }
        if book.isbn == nil {
            (book.isbn, book.isbn10, book.isbn13) = (other.isbn, other.isbn10, other.isbn13)
            book.isbnRepair = other.isbn == nil ? book.isbnRepair ?? other.isbnRepair : other.isbnRepair
        }
        addIDs(other.ids, to: &book.ids)
        if book.series == nil || (book.series?.position == nil && other.series?.position != nil) {
            book.series = other.series
        }
        book.subtitle = richer(book.subtitle, other.subtitle)
        book.publisher = book.publisher ?? other.publisher
        book.publicationYear = book.publicationYear ?? other.publicationYear
        book.originalYear = book.originalYear ?? other.originalYear
        book.pageCount = book.pageCount ?? other.pageCount
        book.language = book.language ?? other.language
        book.format = book.format ?? other.format
        addReading(other, to: &book)
        book.shelves = RowLimits.cut(book.shelves + other.shelves.filter { !book.shelves.contains($0) })
        book.tags = RowLimits.cut(book.tags + other.tags.filter { !book.tags.contains($0) })
        book.review = richer(book.review, other.review)
        book.notes = richer(book.notes, other.notes)
        addRaw(other.raw, to: &book.raw)
        let remarks = other.remarks.filter { !book.remarks.contains($0) }
        book.remarks += remarks.prefix(max(0, RowLimits.words - book.remarks.count))
        book.duplicateRows.append(other.row)
    }

    private static func addRaw(_ other: RawCells, to raw: inout RawCells) {
        guard !other.cells.isEmpty else { return }
        var left = RowLimits.rawCells - raw.cells.reduce(0) { $0 + RowLimits.size($1) }
        for cell in other.cells where raw[cell.column] == nil && left >= RowLimits.size(cell) {
            left -= RowLimits.size(cell)
            raw.cells.append(cell)
        }
    }

    private static func addIDs(_ other: ImportedIDs, to ids: inout ImportedIDs) {
        ids.goodreadsBookId = ids.goodreadsBookId ?? other.goodreadsBookId
        ids.librarythingId = ids.librarythingId ?? other.librarythingId
        ids.openLibraryWork = ids.openLibraryWork ?? other.openLibraryWork
        ids.openLibraryEdition = ids.openLibraryEdition ?? other.openLibraryEdition
        ids.asin = ids.asin ?? other.asin
        ids.googleVolumeId = ids.googleVolumeId ?? other.googleVolumeId
    }

    /// The statuses' order of progress; if rows have different statuses, the most advanced one is used.
    private static let progress: [ReadingStatus: Int] = [
        .wishlist: 0, .owned: 1, .toRead: 2, .paused: 3, .reading: 4, .didNotFinish: 5, .read: 6,
    ]

    private static func addReading(_ other: ImportedBook, to book: inout ImportedBook) {
        // If only one of the rows has a status, the other row's word is a shelf, as within a row (``BookDetails``).
        let shelf = book.status == nil ? book.statusRaw : other.status == nil ? other.statusRaw : nil
        if let status = other.status, (progress[status] ?? 0) > book.status.flatMap({ progress[$0] }) ?? -1 {
            (book.status, book.statusRaw) = (status, other.statusRaw)
        }
        if book.statusRaw == nil { book.statusRaw = other.statusRaw }
        if book.status != nil, let shelf { book.addShelf(shelf) }
        if book.rating == nil { (book.rating, book.ratingRaw) = (other.rating, other.ratingRaw ?? book.ratingRaw) }
        if !other.datesRead.isEmpty {
            book.datesRead = Array((book.datesRead + other.datesRead).inOrder.suffix(RowLimits.readings))
        }
        if let added = other.dateAdded { book.dateAdded = min(book.dateAdded ?? added, added) }
        if let count = other.readCount { book.readCount = max(book.readCount ?? count, count) }
        if other.owned != nil { book.owned = book.owned == true || other.owned == true }
    }

    private static func richer(_ one: String?, _ other: String?) -> String? {
        (other?.utf8.count ?? 0) > (one?.utf8.count ?? 0) ? other : one
    }
}

extension ImportedBook {
    /// Adds a shelf, unless the book is already on it.
    mutating func addShelf(_ name: String) {
        let name = RowLimits.cut(name, to: RowLimits.word) ?? name
        if !shelves.contains(name) { shelves = RowLimits.cut(shelves + [name]) }
    }
}
