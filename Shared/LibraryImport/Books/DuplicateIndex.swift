import BookIdentifiers

/// Finds rows with the same book: rows with the same ISBN, and rows with the same title (including numbers and words in brackets), subtitle, first
/// author, series and position in the series, unless both have an ISBN and the ISBNs differ. After ``RowLimits/joinedRows`` rows, the next row starts
/// a new book.
///
/// An ISBN that an earlier row has with an entirely different title and author counts as mistyped and is ignored; see ``Place/hasOtherBooksISBN``.
///
/// The rows of the suite's own file have already been merged, and their cells may come from several rows. Two such rows are matched by title only if
/// neither has an ISBN.
///
/// The index keeps an ISBN and hashes per book, and no strings. The hash ``RowKeys/title`` is seeded per process, so no file can be crafted to cause
/// collisions; the hashes of ``BookWords`` are not seeded, but only rows with the same ISBN are compared by them.
struct DuplicateIndex {
    /// The first row of a book, and the keys for comparing other rows with it.
    private struct Group {
        let first: Int32
        var isbn: ISBN?
        /// The words of the row with the ISBN; not used while `isbn` is nil.
        var words: BookWords?
        var rows: Int32 = 1
    }

    private let isOwnFormat: Bool
    private var groups: [Group] = []
    /// The newest group for each ISBN.
    private var byISBN = NumberIndex()
    /// The newest group for each ``RowKeys/title``.
    private var byTitle = NumberIndex()
    /// For each ``RowKeys/title``, the newest group whose first row has no ISBN or a mistyped one; a later row may have added one.
    private var withoutISBN = NumberIndex()

    /// - Parameter isOwnFormat: Whether the rows are those of the suite's own file.
    init(isOwnFormat: Bool) { self.isOwnFormat = isOwnFormat }

    /// Where a row belongs.
    struct Place {
        /// Number of the first row with the same book; nil if this row is the first, or if that book already has ``RowLimits/joinedRows`` rows.
        let first: Int?
        /// Whether the row's ISBN belongs to a different book in an earlier row.
        let hasOtherBooksISBN: Bool
    }

    /// Adds the next row and determines its book.
    mutating func add(row: Int, _ keys: RowKeys) -> Place {
        let holder = keys.isbn.flatMap { byISBN[$0.value] }
        if let holder, let words = keys.words, groups[Int(holder)].words?.areOfOtherBook(than: words) == true {
            let group = keys.title.flatMap { groupWithTitle($0, hasISBN: false) }
            return Place(first: add(row, to: group, nil, keys), hasOtherBooksISBN: true)
        }
        let group = holder ?? keys.title.flatMap { groupWithTitle($0, hasISBN: keys.isbn != nil) }
        return Place(first: add(row, to: group, keys.isbn, keys), hasOtherBooksISBN: false)
    }

    /// Adds a row to a group, or to a new one if `group` is nil or full. Returns the group's first row; nil if the group is new.
    private mutating func add(_ row: Int, to group: Int32?, _ isbn: ISBN?, _ keys: RowKeys) -> Int? {
        guard let group, groups[Int(group)].rows < RowLimits.joinedRows else {
            let new = Int32(groups.count)
            groups.append(Group(first: Int32(row), isbn: isbn, words: keys.words))
            if let isbn { byISBN.set(new, forKey: isbn.value) }
            if let title = keys.title {
                byTitle.set(new, forKey: title)
                if isbn == nil { withoutISBN.set(new, forKey: title) }
            }
            return nil
        }
        groups[Int(group)].rows += 1
        if let isbn, groups[Int(group)].isbn == nil {
            (groups[Int(group)].isbn, groups[Int(group)].words) = (isbn, keys.words)
            byISBN.set(group, forKey: isbn.value)
        }
        return Int(groups[Int(group)].first)
    }

    /// The group that a row with this title joins if the row has no ISBN, or if no group has its ISBN. The group may be full.
    private func groupWithTitle(_ title: UInt64, hasISBN: Bool) -> Int32? {
        switch (hasISBN, isOwnFormat) {
        case (false, false): byTitle[title]
        case (true, true): nil
        default: withoutISBN[title].flatMap { groups[Int($0)].isbn == nil ? $0 : nil }
        }
    }
}
