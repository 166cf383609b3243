/// Folds the answers of several providers, so that each book is there once (spec/04 "Search and enrichment").
struct FoundBooks {
    private(set) var books: [FoundBook] = []
    private let seriesTitles: Set<[String]>

    init(works: [WorkRecord], editionLists: [[EditionRecord]]) {
        let likenesses =
            works.map { BookLikeness(.work($0)) } + editionLists.joined().map { BookLikeness(.edition($0)) }
        seriesTitles = Self.seriesTitles(of: likenesses)
        for (position, work) in works.enumerated() { add(work, at: position) }
        for editions in editionLists {
            for (position, edition) in editions.enumerated() { add(edition, at: position) }
        }
    }

    /// Two works of one provider are one only when nothing distinguishes them.
    private mutating func add(_ work: WorkRecord, at position: Int) {
        let book = FoundBook(work, position: position)
        let words = book.likeness.forms.allWords
        let twin = books.firstIndex { other in
            other.likeness.forms.allWords == words
                && other.likeness.isSameBook(as: book.likeness, seriesTitles: seriesTitles)
        }
        if let twin { books[twin].add(work) } else { books.append(book) }
    }

    private mutating func add(_ edition: EditionRecord, at position: Int) {
        let book = FoundBook(edition, position: position)
        let same =
            books.firstIndex { other in edition.isbns.contains { other.states($0) } }
            ?? books.firstIndex { $0.likeness.isSameBook(as: book.likeness, seriesTitles: seriesTitles) }
        if let same { books[same].add(edition) } else { books.append(book) }
    }

    /// Main titles that stand before different subtitles: "The Lord of the Rings: The Two Towers".
    private static func seriesTitles(of likenesses: [BookLikeness]) -> Set<[String]> {
        let subtitled = Dictionary(grouping: likenesses.filter { !$0.subtitleWords.isEmpty }, by: \.forms.mainWords)
        return Set(subtitled.filter { Set($0.value.map(\.subtitleWords)).count > 1 }.keys)
    }
}
