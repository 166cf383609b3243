import BookIdentifiers
import BookstrackContract

/// The records of one book, and the rules for choosing each field from them.
struct BookMerge {
    private let asked: ISBN?
    /// Records of the edition itself, preferred providers first.
    private let editions: [EditionRecord]
    private let works: [WorkRecord]
    /// Other editions of the same work. Their records may describe the work, but not this edition.
    private let otherEditions: [EditionRecord]
    private let primary: DataProvider

    init(
        asked: ISBN?, editions: [EditionRecord], works: [WorkRecord], otherEditions: [EditionRecord] = [],
        primary: DataProvider
    ) {
        self.asked = asked
        self.editions = editions.sorted { $0.provider < $1.provider }
        self.works = works.sorted { $0.provider < $1.provider }
        self.otherEditions = otherEditions
        self.primary = primary
    }

    /// The merged book with the providers of its fields; `nil` if no record has a title.
    func merged(_ reviewStatus: ReviewStatus) -> MergedBook? {
        var provenance = Provenance()
        guard var work = work(reviewStatus, &provenance) else { return nil }
        let authors = authors(&provenance)
        work.primaryProvider = primary
        work.contributors = provenance.contributors
        work.lastISBNDBSync = provenance.lastISBNDBSync(of: allEditions)
        var sources = provenance.sources
        var book = EnrichedMetadata(work: work, edition: edition(of: work, &sources), authors: authors)
        let quality = QualityScore.of(book)
        book.work.isbndbQuality = quality
        book.edition?.isbndbQuality = quality
        return MergedBook(book, sources: sources)
    }

    private var allEditions: [EditionRecord] { editions + otherEditions }

    private func work(_ reviewStatus: ReviewStatus, _ provenance: inout Provenance) -> WorkDTO? {
        guard
            let title = provenance.first(works, as: .title, \.title)
                ?? provenance.first(allEditions, as: .title, \.title)
        else { return nil }
        var work = WorkDTO(title: title, reviewStatus: reviewStatus)
        work.firstPublicationYear = provenance.first(works, as: .publicationDate, \.firstPublicationYear)
        work.originalLanguage = provenance.first(allEditions, as: .language, \.originalLanguage)
        work.description = longestDescription(&provenance)
        work.coverImageURL = provenance.largestCover(of: works + allEditions)
        work.subjectTags = subjects(&provenance)
        work.synthetic = works.isEmpty
        let key = provenance.first(works) { $0.key } ?? provenance.first(allEditions, \.workKeys.first)
        work.openLibraryID = key
        work.openLibraryWorkID = key
        work.goodreadsWorkIDs = works.flatMap { $0.goodreadsIDs ?? [] }.uniqued()
        work.goodreadsID = work.goodreadsWorkIDs.first
        work.amazonASINs = identifiers(\.amazon)
        work.librarythingIDs = identifiers(\.librarything)
        work.googleBooksVolumeIDs = identifiers(\.googleVolumes)
        work.googleBooksVolumeID = work.googleBooksVolumeIDs.first
        work.isbndbID = provenance.first(allEditions, \.identifiers.isbndb)
        return work
    }

    private func identifiers(_ kind: (EditionIdentifiers) -> [String]) -> [String] {
        Array(allEditions.flatMap { kind($0.identifiers) }.uniqued().prefix(EditionIdentifiers.limit))
    }

    private func longestDescription(_ provenance: inout Provenance) -> String? {
        let described =
            works.map { (text: $0.description, provider: $0.provider) }
            + allEditions.map { (text: $0.description, provider: $0.provider) }
        guard let longest = described.max(by: { ($0.text?.utf8.count ?? 0) < ($1.text?.utf8.count ?? 0) }) else {
            return nil
        }
        if longest.text != nil { provenance.credit(longest.provider, for: .description) }
        return longest.text
    }

    private func subjects(_ provenance: inout Provenance) -> [String] {
        for work in works where !work.subjects.isEmpty { provenance.credit(work.provider, for: .subjects) }
        for edition in allEditions where !edition.subjects.isEmpty {
            provenance.credit(edition.provider, for: .subjects)
        }
        return SubjectTags.normalize(works.flatMap(\.subjects) + allEditions.flatMap(\.subjects))
    }

    /// The authors of the first work that lists any or, if none does, of the first edition that lists any; the Open Library key of each author is
    /// taken from any record that contains it.
    private func authors(_ provenance: inout Provenance) -> [AuthorDTO] {
        var credits = provenance.firstList(works, as: .authors, \.authors)
        if credits.isEmpty { credits = provenance.firstList(allEditions, as: .authors, \.authors) }
        let others = works.flatMap(\.authors) + allEditions.flatMap(\.authors)
        return credits.map { credit in
            let key =
                credit.openLibraryKey
                ?? others.first { $0.name == credit.name && $0.openLibraryKey != nil }?.openLibraryKey
            return AuthorDTO(name: credit.name, openLibraryID: key)
        }
    }

    private func edition(of work: WorkDTO, _ sources: inout FieldSources) -> EditionDTO? {
        guard asked != nil || !editions.isEmpty else { return nil }
        var (edition, ofEdition) = EditionMerge(asked: asked, records: editions, primary: primary).merged()
        sources.add(ofEdition)
        if edition.editionDescription == work.description { edition.editionDescription = nil }
        return edition
    }
}
