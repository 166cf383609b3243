import BookIdentifiers

/// Folds the answers of several providers, so that each book is there once (http-api.md "Searches").
struct FoundBooks {
    private(set) var books: [FoundBook] = []
    private let seriesTitles: Set<[String]>

    init(works: [WorkRecord], editionLists: [[EditionRecord]]) {
        let workForms = works.map { BookForms.all(of: .work($0)) }
        let editionForms = editionLists.map { $0.map { BookForms(.edition($0)) } }
        seriesTitles = BookForms.seriesTitles(of: workForms.map { $0[0] } + editionForms.joined())
        for (position, (work, forms)) in zip(works, workForms).enumerated() { add(work, forms, at: position) }
        for (editions, forms) in zip(editionLists, editionForms) {
            for (position, (edition, forms)) in zip(editions, forms).enumerated() { add(edition, forms, at: position) }
        }
    }

    /// Two works of one provider are one only when nothing distinguishes them.
    private mutating func add(_ work: WorkRecord, _ forms: [BookForms], at position: Int) {
        let twin = books.firstIndex { other in
            other.forms[0].title.allWords == forms[0].title.allWords
                && other.forms[0].isSameBook(as: forms[0], seriesTitles: seriesTitles)
        }
        if let twin { books[twin].add(work, forms) } else { books.append(FoundBook(work, forms, position: position)) }
    }

    private mutating func add(_ edition: EditionRecord, _ forms: BookForms, at position: Int) {
        let numbers = edition.isbns.flatMap(\.forms)
        let same =
            books.firstIndex { $0.states(edition.isbns, forms: numbers) }
            ?? books.firstIndex { book in
                book.forms.contains { $0.isSameBook(as: forms, seriesTitles: seriesTitles) }
            }
        if let same {
            books[same].add(edition, forms)
        } else {
            books.append(FoundBook(edition, forms, position: position))
        }
    }
}
