package import BookstrackContract

/// An answer to a title search: a work of Open Library or an edition of another provider.
package enum BookCandidate: Hashable, Sendable {
    case work(WorkRecord)
    case edition(EditionRecord)

    /// The provider that named the candidate.
    package var provider: DataProvider {
        switch self {
        case .work(let work): work.provider
        case .edition(let edition): edition.provider
        }
    }

    /// Title without its subtitle.
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

    /// First publication of a work; an edition may be a later printing and says nothing about it.
    var firstPublicationYear: Int? {
        if case .work(let work) = self { return work.firstPublicationYear }
        return nil
    }
}
