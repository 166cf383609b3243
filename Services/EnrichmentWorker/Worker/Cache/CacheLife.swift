import BookMetadata
import BookstrackContract
import ServiceKit

/// How long answers are served (spec/04 "Cache", spec/07 "Rich").
struct CacheLife: Sendable {
    /// Answers about one number, edition or work.
    var book: Duration = .seconds(7 * 86_400)
    /// Answers to a search by title.
    var search: Duration = .seconds(6 * 3_600)
    /// "None".
    var negative: Duration = .seconds(300)

    private static let rich = 80
    private static let poor = 40

    /// The life of an answer, counted from its arrival.
    func life(of records: ProviderRecords, to question: Question) -> Duration {
        if records.isEmpty { return negative }
        switch question {
        case .works, .volumesByTitle: return search
        case .workFacts, .work, .editionKey: return book
        case .edition(let isbn), .volumes(let isbn):
            let quality =
                MetadataMerge.merge(asked: isbn, editions: records.editions, works: [])?.work.isbndbQuality ?? 0
            if quality >= Self.rich { return book * 2 }
            return quality < Self.poor ? book / 2 : book
        }
    }
}

extension CacheLife {
    /// The lives as configured.
    init(_ settings: Settings) {
        self.init(
            book: settings[.isbnCacheTTL], search: settings[.searchCacheTTL], negative: settings[.negativeCacheTTL])
    }
}
