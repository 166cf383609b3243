import BookMetadata
import BookstrackContract
import ServiceKit

/// The TTLs of cached answers (metadata.md "Cache").
struct CacheTTL: Sendable {
    /// Answers about one ISBN, edition or work.
    var book = SettingKey.isbnCacheTTL.fallback
    /// Answers to a search, and the list of a work's editions.
    var search = SettingKey.searchCacheTTL.fallback
    /// Facts about an author, including "none".
    var author = SettingKey.authorCacheTTL.fallback
    /// Answers of "none", except those about authors.
    var negative = SettingKey.negativeCacheTTL.fallback

    private static let rich = 80
    private static let poor = 40

    /// The TTL of an answer, from the time it was received.
    func ttl(of records: ProviderRecords, to question: Question) -> Duration {
        switch question.kind.lifetime {
        // An unknown author does not become known within minutes, so a short TTL would only cause repeated questions.
        case .author: return author
        case _ where records.isEmpty: return negative
        case .search: return scaled(search, by: quality(of: records))
        case .book: return book
        case .edition:
            let book = question.isbn.flatMap {
                MetadataMerge.merged(asked: $0, editions: records.editions, works: [])?.book
            }
            return scaled(self.book, by: book?.work.isbndbQuality ?? 0)
        }
    }

    private func scaled(_ ttl: Duration, by quality: Int) -> Duration {
        if quality >= Self.rich { return ttl * 2 }
        return quality < Self.poor ? ttl / 2 : ttl
    }

    /// The quality of the first record, which is the provider's best match.
    private func quality(of records: ProviderRecords) -> Int {
        let first = records.works.first.map { BookCandidate.work($0) } ?? records.editions.first.map { .edition($0) }
        return first.flatMap { MetadataMerge.merged(match: $0, reviewStatus: .verified)?.book }?.work.isbndbQuality ?? 0
    }
}

extension CacheTTL {
    init(_ settings: Settings) {
        self.init(
            book: settings[.isbnCacheTTL], search: settings[.searchCacheTTL], author: settings[.authorCacheTTL],
            negative: settings[.negativeCacheTTL])
    }
}
