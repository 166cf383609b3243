package import BookstrackContract

/// Title and authors of a record, parsed once for all comparisons.
struct BookForms {
    let title: TitleForms
    let authors: [AuthorName]

    /// - Parameter fallback: Authors to use if the record has none, such as those of an edition's work.
    init(_ candidate: BookCandidate, authors fallback: [AuthorName] = []) {
        title = TitleForms(candidate.title ?? "", subtitle: candidate.subtitle)
        let names = candidate.authors.compactMap { AuthorName($0.name) }
        authors = names.isEmpty ? fallback : names
    }

    /// The forms of a candidate and, if a work was found with its best edition and their titles differ, of that edition, which may be a translation.
    static func all(of candidate: BookCandidate) -> [BookForms] {
        let forms = BookForms(candidate)
        guard case .work(let work) = candidate, let edition = work.bestEdition, edition.title != work.title else {
            return [forms]
        }
        return [forms, BookForms(.edition(edition), authors: forms.authors)]
    }

    /// Words in the subtitle that distinguish books.
    var subtitleWords: [String] {
        SubtitleShape.plain.contains(title.subtitleWords) ? [] : title.subtitleWords
    }

    /// Whether the same person may have written both books.
    func hasCommonAuthor(with other: BookForms) -> Bool {
        authors.contains { name in
            other.authors.contains { (name.similarity(to: $0) ?? 0) >= AuthorName.samePerson }
        }
    }

    /// Whether both records certainly belong to the same book.
    ///
    /// - Parameter seriesTitles: Main titles shared by several books in the search: for these, a missing subtitle distinguishes two books.
    func isSameBook(as other: BookForms, seriesTitles: Set<[String]>) -> Bool {
        guard !title.mainWords.isEmpty,
            title.mainWords == other.title.mainWords || title.allWords == other.title.allWords
        else {
            return false
        }
        if seriesTitles.contains(title.mainWords), subtitleWords.isEmpty != other.subtitleWords.isEmpty { return false }
        let comparison = TitleComparison(title, other.title, seriesTitles: seriesTitles)
        guard comparison.evidence.allSatisfy({ $0.limit == .none }) else { return false }
        return hasCommonAuthor(with: other)
    }

    /// Main titles that occur in a list with different subtitles, such as "The Lord of the Rings" with "The Two Towers" and "The Return of the King".
    static func seriesTitles(of forms: [BookForms]) -> Set<[String]> {
        let subtitled = Dictionary(grouping: forms.filter { !$0.subtitleWords.isEmpty }, by: \.title.mainWords)
        return Set(subtitled.filter { Set($0.value.map(\.subtitleWords)).count > 1 }.keys)
    }
}

/// A candidate for a requested book: a work or an edition.
package enum BookCandidate: Hashable, Sendable {
    case work(WorkRecord)
    case edition(EditionRecord)

    /// The provider that returned the candidate.
    package var provider: DataProvider {
        switch self {
        case .work(let work): work.provider
        case .edition(let edition): edition.provider
        }
    }

    /// Title, usually without the subtitle.
    package var title: String? {
        switch self {
        case .work(let work): work.title
        case .edition(let edition): edition.title
        }
    }

    /// Authors in the provider's order.
    package var authors: [AuthorCredit] {
        switch self {
        case .work(let work): work.authors
        case .edition(let edition): edition.authors
        }
    }

    var subtitle: String? {
        switch self {
        case .work(let work): work.subtitle
        case .edition(let edition): edition.subtitle
        }
    }
}
