import BookIdentifiers
import BookstrackContract

/// One book of a search and everything that the providers say about it.
struct FoundBook {
    /// Its place in the answer of the provider that named it first.
    let position: Int
    /// Title and authors of the record that named it first.
    let likeness: BookLikeness
    private(set) var works: [WorkRecord] = []
    private(set) var editions: [EditionRecord] = []

    init(_ work: WorkRecord, position: Int) {
        self.position = position
        likeness = BookLikeness(.work(work))
        add(work)
    }

    init(_ edition: EditionRecord, position: Int) {
        self.position = position
        likeness = BookLikeness(.edition(edition))
        add(edition)
    }

    mutating func add(_ work: WorkRecord) {
        works.append(work)
        if let edition = work.bestEdition { editions.append(edition) }
    }

    mutating func add(_ edition: EditionRecord) { editions.append(edition) }

    /// The provider that gave the match.
    var primary: DataProvider? { works.first?.provider ?? editions.first?.provider }

    func states(_ isbn: ISBN) -> Bool {
        editions.contains { $0.states(isbn) } || works.contains { $0.states(isbn) }
    }

    /// The best that any of its records scores.
    func score(for question: SearchQuestion) -> Double {
        candidates.map { question.score($0) }.max() ?? 0
    }

    /// Its records for scoring; an edition that names no authors has its work's, so that a translated title counts.
    private var candidates: [BookCandidate] {
        works.map(BookCandidate.work)
            + editions.map { edition in
                var edition = edition
                if edition.authors.isEmpty { edition.authors = works.first?.authors ?? [] }
                return .edition(edition)
            }
    }

    /// Records by edition, the one that stands for the book first.
    var editionGroups: [[EditionRecord]] {
        var groups = EditionGroups.grouping(editions)
        if groups.isEmpty { return works.first.map { [[Self.representative(of: $0)]] } ?? [] }
        if let numbered = groups.firstIndex(where: { $0.contains { !$0.isbns.isEmpty } }) {
            groups.insert(groups.remove(at: numbered), at: 0)
        }
        return groups
    }

    /// What a work says about the edition that gave its cover.
    private static func representative(of work: WorkRecord) -> EditionRecord {
        var edition = EditionRecord(provider: work.provider)
        edition.identifiers.openLibraryEdition = work.representativeEditionKey
        edition.cover = work.cover
        edition.workKeys = [work.key]
        return edition
    }
}
