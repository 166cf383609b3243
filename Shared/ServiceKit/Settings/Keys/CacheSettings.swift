// Settings of the provider cache, read by enrichment-worker.

extension SettingKey where Value == Duration {
    package static var isbnCacheTTL: Self {
        SettingKey(
            "BOOKSTRACK_CACHE_ISBN_TTL_SECONDS", .seconds(0...31_536_000), default: .seconds(604_800),
            "TTL of cached ISBN lookups; doubled for rich records (quality 80 or more), halved for those without a title or the ISBN"
        )
    }

    package static var searchCacheTTL: Self {
        SettingKey(
            "BOOKSTRACK_CACHE_SEARCH_TTL_SECONDS", .seconds(0...31_536_000), default: .seconds(21_600),
            "TTL of cached searches; doubled if the first match is rich (quality 80 or more), halved if it has no title"
        )
    }

    package static var authorCacheTTL: Self {
        SettingKey(
            "BOOKSTRACK_CACHE_AUTHOR_TTL_SECONDS", .seconds(0...31_536_000), default: .seconds(604_800),
            "TTL of cached author data")
    }

    package static var negativeCacheTTL: Self {
        SettingKey(
            "BOOKSTRACK_CACHE_NEGATIVE_TTL_SECONDS", .seconds(0...31_536_000), default: .seconds(300),
            "TTL of a cached \"not found\", except for authors")
    }
}

extension SettingKey where Value == Int {
    package static var cacheMaxBytes: Self {
        SettingKey(
            "BOOKSTRACK_CACHE_MAX_BYTES", .integer(1_048_576...1_099_511_627_776, unit: "bytes"),
            default: 268_435_456,
            "Maximum disk cache size; least recently used entries are evicted")
    }

    /// The minimum leaves room for two pictures of maximum size.
    package static var coversMaxBytes: Self {
        SettingKey(
            "BOOKSTRACK_COVERS_MAX_BYTES", .integer(16_777_216...1_099_511_627_776, unit: "bytes"),
            default: 536_870_912, "Maximum size of cached covers; least recently used ones are evicted")
    }
}

extension SettingCatalog {
    static let cache: [SettingDeclaration] = [
        SettingKey.cacheMaxBytes.declaration,
        SettingKey.isbnCacheTTL.declaration, SettingKey.searchCacheTTL.declaration,
        SettingKey.authorCacheTTL.declaration, SettingKey.negativeCacheTTL.declaration,
        SettingKey.coversMaxBytes.declaration,
    ]
}
