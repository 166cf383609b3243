import BookIdentifiers
import BookstrackContract

/// The records of one edition, and the rules for choosing each field from them.
struct EditionMerge {
    /// The ISBN for which the edition was requested, if any.
    private let asked: ISBN?
    /// The records, preferred providers first.
    private let records: [EditionRecord]
    /// The provider that supplied the match or, if only others have the edition, the preferred one of these.
    private let primary: DataProvider

    init(asked: ISBN? = nil, records: [EditionRecord], primary: DataProvider) {
        self.asked = asked
        self.records = records.sorted { $0.provider < $1.provider }
        let providers = records.map(\.provider)
        self.primary = providers.contains(primary) ? primary : providers.min() ?? primary
    }

    /// The merged edition, scored from its own records.
    func edition() -> EditionDTO { merged().edition }

    /// The merged edition with the providers of its fields.
    func merged() -> (edition: EditionDTO, sources: FieldSources) {
        var provenance = Provenance()
        let format = provenance.first(records, \.format)
        var edition = EditionDTO(isbns: isbns(&provenance), format: format ?? .paperback)
        edition.formatInferred = format == nil ? true : nil
        edition.title = provenance.first(records, \.fullTitle)
        edition.publisher = provenance.first(records, as: .publisher, \.publisher)
        edition.publicationDate = provenance.first(records, as: .publicationDate, \.publicationDate)
        edition.pageCount = provenance.first(records, as: .pageCount, \.pageCount)
        edition.language = provenance.first(records, as: .language, \.language)
        edition.editionTitle = provenance.first(records, \.editionTitle)
        edition.editionDescription = provenance.first(records, as: .description, \.description)
        edition.coverImageURL = provenance.largestCover(of: records)
        addIdentifiers(to: &edition, &provenance)
        if records.isEmpty { provenance.credit(primary) }
        edition.primaryProvider = primary
        edition.contributors = provenance.contributors
        edition.lastISBNDBSync = provenance.lastISBNDBSync(of: records)
        edition.isbndbQuality = QualityScore.of(edition, records: records)
        return (edition, provenance.sources)
    }

    /// The ISBNs in both forms, the requested one first: all ISBN-13s, then, in the same order, the ISBN-10s of those that have one.
    private func isbns(_ provenance: inout Provenance) -> [String] {
        for record in records where !record.isbns.isEmpty { provenance.credit(record.provider) }
        let numbers = ((asked.map { [$0] } ?? []) + records.flatMap(\.isbns)).uniqued().prefix(EditionIdentifiers.limit)
        return numbers.map(\.isbn13) + numbers.compactMap(\.isbn10)
    }

    private func addIdentifiers(to edition: inout EditionDTO, _ provenance: inout Provenance) {
        let key = provenance.first(records, \.identifiers.openLibraryEdition)
        edition.openLibraryID = key
        edition.openLibraryEditionID = key
        edition.isbndbID = provenance.first(records, \.identifiers.isbndb)
        edition.goodreadsID = provenance.first(records, \.identifiers.goodreads.first)
        edition.amazonASINs = records.flatMap(\.identifiers.amazon).uniqued()
        edition.librarythingIDs = records.flatMap(\.identifiers.librarything).uniqued()
        edition.googleBooksVolumeIDs = records.flatMap(\.identifiers.googleVolumes).uniqued()
        edition.googleBooksVolumeID = edition.googleBooksVolumeIDs.first
        for record in records where !record.identifiers.googleVolumes.isEmpty { provenance.credit(record.provider) }
    }
}
