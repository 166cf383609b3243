package import BookIdentifiers
package import BookstrackContract

/// Merges the providers' records of one book, field by field (metadata.md "Merging").
package enum MetadataMerge {
    /// The book with this ISBN; `nil` if no record states the ISBN, or if none of the records used has a title.
    ///
    /// The records may belong to a whole batch. Only editions that state the ISBN are used, and only the work to which such an edition refers or,
    /// if there is none, one that states the ISBN.
    package static func merged(asked isbn: ISBN, editions: [EditionRecord], works: [WorkRecord]) -> MergedBook? {
        let accepted = editions.filter { $0.states(isbn) }
        let relevant = Self.works(works, of: accepted, stating: isbn)
        let providers = accepted.map(\.provider) + relevant.map(\.provider)
        guard let primary = providers.min() else { return nil }
        return BookMerge(asked: isbn, editions: accepted, works: relevant, primary: primary).merged(.verified)
    }

    /// The records of the work to which an edition refers; of several works, the first one. If no such record is known, one work that states the ISBN
    /// is used instead: the first one with an edition's title or, if no edition refers to a work, the first one. The title decides because box sets
    /// state the ISBNs of the books in them.
    private static func works(
        _ works: [WorkRecord], of editions: [EditionRecord], stating isbn: ISBN
    ) -> [WorkRecord] {
        let keys = editions.flatMap(\.workKeys)
        if let key = keys.first(where: { key in works.contains { $0.key == key } }) {
            return works.filter { $0.key == key }
        }
        let stating = works.filter { $0.states(isbn) }
        let agreeing = stating.first { work in
            let forms = BookForms.all(of: .work(work))
            return editions.contains { $0.hasTitle(of: forms) }
        }
        return [agreeing ?? (keys.isEmpty ? stating.first : nil)].compactMap(\.self)
    }

    /// The book found by a title search, completed with agreeing candidates and with records fetched for it; `nil` if no record has a title.
    ///
    /// - Parameters:
    ///   - editions: Editions fetched for the match; editions of other works are ignored.
    ///   - works: More complete records of the same work; other records are ignored.
    package static func merged(
        match: BookCandidate, agreeing: [BookCandidate] = [], editions: [EditionRecord] = [], works: [WorkRecord] = [],
        reviewStatus: ReviewStatus
    ) -> MergedBook? {
        let candidates = [match] + agreeing
        let matchedWorks = candidates.compactMap { candidate in
            if case .work(let work) = candidate { work } else { nil }
        }
        let matchedEditions = candidates.compactMap { candidate in
            if case .edition(let edition) = candidate { edition } else { nil }
        }
        // Only one work is used, because two works from a provider are separate records; and only one edition supplies the edition's fields, because
        // editions differ in their details.
        let workKey = matchedWorks.first?.key ?? matchedEditions.first?.workKeys.first
        let fetched = editions.filter { edition in workKey.map { edition.workKeys.contains($0) } ?? false }
        let best = matchedWorks.first?.bestEdition.map { [$0] } ?? []
        var groups = EditionGroups.grouping(fetched + matchedEditions + best)
        if groups.isEmpty, let work = matchedWorks.first, work.representativeEditionKey != nil || work.subtitle != nil {
            groups = [[work.representativeEdition]]
        }
        return BookMerge(
            asked: nil, editions: groups.first ?? [],
            works: matchedWorks.prefix(1) + works.filter { $0.key == workKey },
            otherEditions: Array(groups.dropFirst().joined()), primary: match.provider
        ).merged(reviewStatus)
    }
}

extension EditionRecord {
    /// Whether the edition's title, with its subtitle, is one of a book's titles. This distinguishes the book from a box set that contains the
    /// edition.
    func hasTitle(of book: [BookForms]) -> Bool {
        guard let fullTitle else { return false }
        let query = TitleMatch.ParsedQuery(title: fullTitle, author: nil)
        return book.contains { TitleMatch.judgment(of: $0, for: query).score >= TitleMatch.verified }
    }
}
