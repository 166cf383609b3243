// Settings of the politeness towards providers.

extension SettingKey where Value == Double? {
    /// Nil leaves the rate to `Settings.openLibraryRequestsPerSecond`.
    package static var openLibraryRate: Self {
        SettingKey(
            "BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND", .optionalRatePerSecond, default: nil,
            note: "3 with a contact, else 1", "Maximum request rate to Open Library; 0 = no limit")
    }

    /// Nil leaves the rate to `Settings.wikidataRequestsPerSecond`.
    package static var wikidataRate: Self {
        SettingKey(
            "BOOKSTRACK_WIKIDATA_REQUESTS_PER_SECOND", .optionalRatePerSecond, default: nil,
            note: "3 with a contact, else 1", "Maximum request rate to Wikidata; 0 = no limit")
    }
}

extension SettingKey where Value == Double {
    package static var isbndbRate: Self {
        SettingKey(
            "BOOKSTRACK_ISBNDB_REQUESTS_PER_SECOND", .ratePerSecond, default: 1,
            "Maximum request rate to ISBNdb; 0 = no limit")
    }
}

extension SettingKey where Value == Int {
    package static var googleBooksDailyBudget: Self {
        SettingKey(
            "BOOKSTRACK_GOOGLE_BOOKS_DAILY_BUDGET", .integer(0...100_000_000, unit: "requests/day"), default: 1_000,
            "Maximum requests to Google Books; 0 = no limit")
    }

    package static var isbndbDailyBudget: Self {
        SettingKey(
            "BOOKSTRACK_ISBNDB_DAILY_BUDGET", .integer(0...100_000_000, unit: "requests/day"), default: 1_000,
            "Maximum requests to ISBNdb, of up to 100 ISBNs each; 0 = no limit")
    }
}

extension Settings {
    /// Requests per second that Open Library is asked at most; 0 = no limit. Without a contact it is 1 (configuration.md).
    package var openLibraryRequestsPerSecond: Double {
        self[.openLibraryRate] ?? (providerContact == nil ? 1 : 3)
    }

    /// Requests per second that Wikidata is asked at most; 0 = no limit. Wikimedia allows clients that say who they are 200 a minute
    /// (https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits).
    package var wikidataRequestsPerSecond: Double {
        self[.wikidataRate] ?? (providerContact == nil ? 1 : 3)
    }

    /// Where providers can complain: `BOOKSTRACK_CONTACT`, else its alias.
    package var providerContact: String? { self[.contact] ?? self[.openLibraryContact] }
}
