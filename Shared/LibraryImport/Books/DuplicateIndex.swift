import BookIdentifiers

/// Finds rows with the same book: rows with the same ISBN, and rows with the same title (including numbers and words in brackets), subtitle, first
/// author, series and position in the series, unless both have an ISBN and the ISBNs differ.
///
/// The rows of the suite's own file have already been merged, and their cells may come from several rows. Two such rows are matched by title only if
/// neither has an ISBN.
///
/// The index keeps an ISBN and a hash per book, and no strings. Hashes are seeded per process, so no file can be crafted to cause collisions.
struct DuplicateIndex {
    /// The first row of a book, and the keys for comparing other rows with it.
    private struct Group {
        let first: Int32
        var isbn: ISBN?
        var rows: Int32 = 1
        /// The previous group with the same hash (``RowKeys/title``).
        var previous: Int32?
    }

    private let isOwnFormat: Bool
    private var groups: [Group] = []
    /// The newest group for each ISBN.
    private var byISBN = NumberIndex()
    /// The newest group for each ``RowKeys/title``. A hash has several groups only if their ISBNs do not match, or if one of them has reached the
    /// maximum number of rows.
    private var byTitle = NumberIndex()

    /// - Parameter isOwnFormat: Whether the rows are those of the suite's own file.
    init(isOwnFormat: Bool) { self.isOwnFormat = isOwnFormat }

    /// Adds a row. Returns the number of the first row with the same book; nil if this is the first.
    mutating func add(row: Int, _ keys: RowKeys) -> Int? {
        let group = keys.isbn.flatMap { byISBN[$0.value] } ?? keys.title.flatMap { matchingGroup($0, keys.isbn) }
        guard let group, groups[Int(group)].rows < RowLimits.joinedRows else {
            let new = Int32(groups.count)
            groups.append(Group(first: Int32(row), isbn: keys.isbn))
            if let isbn = keys.isbn { byISBN.updateValue(new, forKey: isbn.value) }
            if let title = keys.title { groups[Int(new)].previous = byTitle.updateValue(new, forKey: title) }
            return nil
        }
        groups[Int(group)].rows += 1
        if let isbn = keys.isbn, groups[Int(group)].isbn == nil {
            groups[Int(group)].isbn = isbn
            byISBN.updateValue(group, forKey: isbn.value)
        }
        return Int(groups[Int(group)].first)
    }

    private func matchingGroup(_ title: UInt64, _ isbn: ISBN?) -> Int32? {
        var next = byTitle[title]
        while let group = next {
            let other = groups[Int(group)].isbn
            let bothLackISBN = isbn == nil && other == nil
            if bothLackISBN || !isOwnFormat && (isbn == nil || other == nil || isbn == other) { return group }
            next = groups[Int(group)].previous
        }
        return nil
    }
}
