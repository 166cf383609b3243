import BookIdentifiers
import BookstrackContract

/// Merges the responses of several providers so that each book occurs once (http-api.md "Searches").
struct FoundBooks {
    private(set) var books: [FoundBook] = []
    private let seriesTitles: Set<[String]>

    /// - Parameter areDistinct: Whether each work is a book of its own, even if nothing distinguishes it from another.
    init(works: [WorkRecord], editionLists: [[EditionRecord]], areDistinct: Bool = false) {
        let workForms = works.map { BookForms.all(of: .work($0)) }
        let editionForms = editionLists.map { $0.map { BookForms(.edition($0)) } }
        seriesTitles = BookForms.seriesTitles(of: workForms.map { $0[0] } + editionForms.joined())
        for (position, (work, forms)) in zip(works, workForms).enumerated() {
            let twin = areDistinct ? nil : twin(of: forms[0])
            if let twin {
                books[twin].add(work, forms)
            } else {
                books.append(FoundBook(work, forms, position: position))
            }
        }
        for (editions, forms) in zip(editionLists, editionForms) {
            for (position, (edition, forms)) in zip(editions, forms).enumerated() { add(edition, forms, at: position) }
        }
    }

    /// The book to which a work belongs. Two works from one provider are the same only if nothing distinguishes them.
    private func twin(of work: BookForms) -> Int? {
        books.firstIndex { other in
            other.forms[0].title.allWords == work.title.allWords
                && other.forms[0].isSameBook(as: work, seriesTitles: seriesTitles)
        }
    }

    private mutating func add(_ edition: EditionRecord, _ forms: BookForms, at position: Int) {
        if let same = book(of: edition, forms) {
            books[same].add(edition, forms)
        } else {
            books.append(FoundBook(edition, forms, position: position))
        }
    }

    /// The book to which an edition belongs: one that states its ISBN and has its title, or else one with its title and author. Without either, the
    /// only book that states the ISBN is used, because the edition may be a translation. Box sets also state the ISBNs of the books in them, so if
    /// several books state the ISBN, it does not identify one of them.
    private func book(of edition: EditionRecord, _ forms: BookForms) -> Int? {
        let numbers = edition.isbns.flatMap(\.forms)
        let stating = books.indices.filter { books[$0].states(edition.isbns, forms: numbers) }
        return stating.first { edition.hasTitle(of: books[$0].forms) }
            ?? books.firstIndex { book in
                book.forms.contains { $0.isSameBook(as: forms, seriesTitles: seriesTitles) }
            } ?? (stating.count == 1 ? stating[0] : nil)
    }
}

/// A book found by a search, with all its records.
struct FoundBook {
    /// The book's position in the response of the first provider that returned it.
    let position: Int
    private(set) var works: [WorkRecord] = []
    private(set) var editions: [EditionRecord] = []
    /// The forms of all records, in the order in which the records were added.
    private(set) var forms: [BookForms] = []

    init(_ work: WorkRecord, _ forms: [BookForms], position: Int) {
        self.position = position
        add(work, forms)
    }

    init(_ edition: EditionRecord, _ forms: BookForms, position: Int) {
        self.position = position
        add(edition, forms)
    }

    /// - Parameter forms: The forms of the work and, if its title differs, of the work's best edition (``BookForms/all(of:)``).
    mutating func add(_ work: WorkRecord, _ forms: [BookForms]) {
        works.append(work)
        self.forms += forms
        if let edition = work.bestEdition { editions.append(edition) }
    }

    mutating func add(_ edition: EditionRecord, _ forms: BookForms) {
        editions.append(edition)
        self.forms.append(forms)
    }

    /// The title in the first work or, if there is none, in the first edition.
    var title: String? { works.first?.title ?? editions.first?.title }

    /// The authors in the first work or, if there is none, in the first edition.
    var authorNames: [String] { (works.first?.authors ?? editions.first?.authors ?? []).map(\.name) }

    /// The provider of the first work or, if there is none, of the first edition.
    var primary: DataProvider? { works.first?.provider ?? editions.first?.provider }

    /// Whether one of the book's records has one of these ISBNs.
    ///
    /// - Parameter forms: The same ISBNs in all their written forms.
    func states(_ isbns: [ISBN], forms: [String]) -> Bool {
        editions.contains { edition in isbns.contains { edition.states($0) } }
            || works.contains { work in work.statedISBNs.contains { forms.contains($0) } }
    }

    /// The best score among the book's records.
    func score(for question: SearchQuestion) -> Double { forms.map { question.score($0) }.max() ?? 0 }

    /// Records grouped by edition, beginning with the first edition that has an ISBN. Without edition records, one is created from the work.
    var editionGroups: [[EditionRecord]] {
        var groups = EditionGroups.grouping(editions)
        if groups.isEmpty { return works.first.map { [[$0.representativeEdition]] } ?? [] }
        if let numbered = groups.firstIndex(where: { $0.contains { !$0.isbns.isEmpty } }) {
            groups.insert(groups.remove(at: numbered), at: 0)
        }
        return groups
    }
}

enum EditionGroups {
    /// Groups records: those that share an ISBN, an Open Library edition key or a Google volume belong to the same edition. A record that shares
    /// these with several groups joins only one of them. The groups are in the order of their first records.
    static func grouping(_ records: some Sequence<EditionRecord>) -> [[EditionRecord]] {
        var groups: [[EditionRecord]] = []
        var groupByName: [String: Int] = [:]
        for record in records {
            let names = names(of: record)
            let index = names.lazy.compactMap { groupByName[$0] }.first ?? groups.count
            if index == groups.count { groups.append([]) }
            groups[index].append(record)
            for name in names where groupByName[name] == nil { groupByName[name] = index }
        }
        return groups
    }

    private static func names(of record: EditionRecord) -> [String] {
        record.isbns.map(\.isbn13) + (record.identifiers.openLibraryEdition.map { [$0] } ?? [])
            + record.identifiers.googleVolumes.map { "google \($0)" }
    }
}
