package import BookstrackContract

/// The quality of an item's result and the providers that contributed, measured by the worker and totaled by day in progress-host (metadata.md
/// "Quality").
///
/// The measure is packed into one number, so progress-host can read and store it with every outcome. From the lowest bit: whether the item was looked
/// up by ISBN, whether a book was found, whether it has a cover (1 bit each), its quality (7), the numbers of its authors and of those with a known
/// background (4 each), and for each ``MeasuredProvider`` whether it was queried, whether it responded, and the fields that it supplied (1, 1, 9).
package struct ResultMeasure: RawRepresentable, Codable, Sendable, Hashable {
    package private(set) var rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Creates a measure in which nothing was queried or found.
    package init() { rawValue = 0 }

    /// Whether the item was looked up by ISBN.
    package var isByISBN: Bool {
        get { bits(0, 1) == 1 }
        set { set(0, 1, newValue ? 1 : 0) }
    }

    /// Whether a book was found.
    package var isFound: Bool {
        get { bits(1, 1) == 1 }
        set { set(1, 1, newValue ? 1 : 0) }
    }

    /// Whether the book has a cover.
    package var hasCover: Bool {
        get { bits(2, 1) == 1 }
        set { set(2, 1, newValue ? 1 : 0) }
    }

    /// Completeness of the book, from 0 to 100.
    package var quality: Int {
        get { bits(3, 7) }
        set { set(3, 7, newValue) }
    }

    /// Number of authors; more than 15 count as 15.
    package var authors: Int {
        get { bits(10, 4) }
        set { set(10, 4, newValue) }
    }

    /// Number of authors whose background is known from Wikidata.
    package var knownAuthors: Int {
        get { bits(14, 4) }
        set { set(14, 4, newValue) }
    }

    /// A provider's contribution to the result.
    package subscript(provider: MeasuredProvider) -> ProviderShare {
        get {
            let start = provider.firstBit
            return ProviderShare(
                isAsked: bits(start, 1) == 1, isAnswered: bits(start + 1, 1) == 1,
                fields: BookFieldSet(rawValue: UInt16(bits(start + 2, 9))))
        }
        set {
            let start = provider.firstBit
            set(start, 1, newValue.isAsked ? 1 : 0)
            set(start + 1, 1, newValue.isAnswered ? 1 : 0)
            set(start + 2, 9, Int(newValue.fields.rawValue))
        }
    }

    private func bits(_ start: Int, _ count: Int) -> Int { rawValue >> start & (1 << count - 1) }

    /// Sets a field of the number. Values that exceed the width of the field are clamped.
    private mutating func set(_ start: Int, _ count: Int, _ value: Int) {
        let limit = 1 << count - 1
        rawValue = rawValue & ~(limit << start) | min(max(0, value), limit) << start
    }
}

/// A provider's contribution to one result.
package struct ProviderShare: Sendable, Equatable {
    /// Whether the provider was queried for the book, directly or through the cache.
    package var isAsked: Bool
    /// Whether the provider responded, even if it does not have the book.
    package var isAnswered: Bool
    /// The fields of the result that the provider supplied.
    package var fields: BookFieldSet

    package init(isAsked: Bool = false, isAnswered: Bool = false, fields: BookFieldSet = []) {
        self.isAsked = isAsked
        self.isAnswered = isAnswered
        self.fields = fields
    }
}

/// The providers that are distinguished in analytics, in the order of their bits. For Wikidata, `authors` means the authors' background.
package enum MeasuredProvider: String, Codable, Sendable, CaseIterable {
    case openLibrary = "openlibrary"
    case googleBooks = "google-books"
    case isbndb
    case wikidata

    /// Index among the providers.
    package var position: Int {
        switch self {
        case .openLibrary: 0
        case .googleBooks: 1
        case .isbndb: 2
        case .wikidata: 3
        }
    }

    fileprivate var firstBit: Int { 18 + 11 * position }
}

/// Totals over measured results.
package struct QualityCounts: Codable, Sendable, Equatable {
    /// Number of items that were looked up.
    package var books = 0
    /// Number of these items for which a book was found.
    package var found = 0
    /// Number of items looked up by ISBN.
    package var isbns = 0
    /// Number of these items for which a book was found.
    package var isbnsFound = 0
    /// Number of books with a cover.
    package var covers = 0
    /// Number of authors of the books.
    package var authors = 0
    /// Number of these authors whose background is known.
    package var knownAuthors = 0
    /// Sum of the books' quality scores.
    package var quality = 0

    package init() {}

    /// Adds a result, or subtracts it if `sign` is -1.
    package mutating func add(_ measure: ResultMeasure, sign: Int = 1) {
        books += sign
        if measure.isByISBN { isbns += sign }
        guard measure.isFound else { return }
        found += sign
        if measure.isByISBN { isbnsFound += sign }
        if measure.hasCover { covers += sign }
        authors += sign * measure.authors
        knownAuthors += sign * measure.knownAuthors
        quality += sign * measure.quality
    }

    package static func += (sums: inout Self, others: Self) {
        sums.books += others.books
        sums.found += others.found
        sums.isbns += others.isbns
        sums.isbnsFound += others.isbnsFound
        sums.covers += others.covers
        sums.authors += others.authors
        sums.knownAuthors += others.knownAuthors
        sums.quality += others.quality
    }

    /// Fraction of ISBNs for which a book was found; nil if there are no ISBNs.
    package var matchRatio: Double? { Self.ratio(isbnsFound, of: isbns) }
    /// Fraction of found books that have a cover; nil if no book was found.
    package var coverRatio: Double? { Self.ratio(covers, of: found) }
    /// Fraction of the found books' authors whose background is known; nil if there are no authors.
    package var authorKnownRatio: Double? { Self.ratio(knownAuthors, of: authors) }
    /// Mean quality of the found books, from 0 to 100; nil if no book was found.
    package var meanQuality: Double? { Self.ratio(quality, of: found) }

    private static func ratio(_ part: Int, of whole: Int) -> Double? {
        whole == 0 ? nil : Double(part) / Double(whole)
    }
}
