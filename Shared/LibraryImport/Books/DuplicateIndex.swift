import BookIdentifiers
import BookstrackContract

/// Finds the rows that are the same book: rows with the same ISBN, and rows with the same title (including numbers and
/// words in brackets), first author and position in a series, unless both have an ISBN and these differ.
///
/// The rows of the suite's own file have been joined before, and their cells may come from several rows. Two of them that
/// now have the same title and author are the same book only if neither has an ISBN.
///
/// Keeps two hashes per row and no texts. Hashes are seeded per process, so that no file can be made to collide.
struct DuplicateIndex {
    /// The first row of a book, and the keys with which further rows are compared.
    private struct Group {
        let first: Int32
        var isbn: ISBN?
        var rows: Int32 = 1
        /// The previous group with the same hash of title, author and position.
        var previous: Int32?
    }

    private let isOwnFormat: Bool
    private var groups: [Group] = []
    private var byISBN: [ISBN: Int32] = [:]
    /// The newest group by the hash of title, author and position. There are several only if their ISBNs differ, or if
    /// one has the maximum number of rows.
    private var byTitle: [Int: Int32] = [:]

    /// - Parameter isOwnFormat: Whether the rows are those of the suite's own file.
    init(isOwnFormat: Bool) { self.isOwnFormat = isOwnFormat }

    /// Adds a row. Returns the number of the earlier row that is the same book.
    mutating func add(row: Int, _ book: BookEssence, position: String?, subtitle: String?) -> Int? {
        let title = Self.titleKey(book, position: position, subtitle: subtitle)
        let group = book.isbn.flatMap { byISBN[$0] } ?? title.flatMap { matchingGroup($0, book.isbn) }
        guard let group, groups[Int(group)].rows < RowLimits.joinedRows else {
            let new = Int32(groups.count)
            groups.append(Group(first: Int32(row), isbn: book.isbn))
            if let isbn = book.isbn { byISBN[isbn] = new }
            if let title { groups[Int(new)].previous = byTitle.updateValue(new, forKey: title) }
            return nil
        }
        groups[Int(group)].rows += 1
        if let isbn = book.isbn, groups[Int(group)].isbn == nil {
            groups[Int(group)].isbn = isbn
            byISBN[isbn] = group
        }
        return Int(groups[Int(group)].first)
    }

    private func matchingGroup(_ title: Int, _ isbn: ISBN?) -> Int32? {
        var next = byTitle[title]
        while let group = next {
            let other = groups[Int(group)].isbn
            let bothLackISBN = isbn == nil && other == nil
            if bothLackISBN || !isOwnFormat && (isbn == nil || other == nil || isbn == other) { return group }
            next = groups[Int(group)].previous
        }
        return nil
    }

    /// The hash of the fields by which two rows without a common ISBN are the same book; nil for a row without any of
    /// them.
    private static func titleKey(_ book: BookEssence, position: String?, subtitle: String?) -> Int? {
        var hasher = Hasher()
        if FoldedText.hash(book.title, into: &hasher) {
            combine(subtitle, into: &hasher)
        } else {
            // Lists of identifiers: the same identifier is the same book, and marks without letters are compared as
            // they are.
            guard book.ids != ImportedIDs() || !book.title.isEmpty else { return nil }
            hasher.combine(book.title)
            hasher.combine(book.ids.openLibraryEdition ?? book.ids.openLibraryWork)
            hasher.combine(book.ids.asin ?? book.ids.googleVolumeId)
            hasher.combine(book.ids.goodreadsBookId ?? book.ids.librarythingId)
        }
        combine(book.authors.first, into: &hasher)
        combine(book.series?.name, into: &hasher)
        hasher.combine(book.series?.position ?? position)
        return hasher.finalize()
    }

    private static func combine(_ text: String?, into hasher: inout Hasher) {
        hasher.combine(text == nil)
        if let text { _ = FoldedText.hash(text, into: &hasher) }
    }
}
