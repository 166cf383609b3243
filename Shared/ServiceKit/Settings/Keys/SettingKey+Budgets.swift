// Settings of the politeness towards providers.

extension SettingKey where Value == Double? {
    /// Nil leaves the rate to `Settings.openLibraryRequestsPerSecond`.
    package static var openLibraryRate: Self {
        SettingKey(
            "BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND", .optionalRatePerSecond, default: nil,
            note: "3 with a contact, else 1", "Most requests to Open Library; 0 = no limit")
    }
}

extension SettingKey where Value == Double {
    package static var isbndbRate: Self {
        SettingKey(
            "BOOKSTRACK_ISBNDB_REQUESTS_PER_SECOND", .ratePerSecond, default: 1,
            "Most requests to ISBNdb; 0 = no limit")
    }

    package static var wikidataRate: Self {
        SettingKey(
            "BOOKSTRACK_WIKIDATA_REQUESTS_PER_SECOND", .ratePerSecond, default: 5,
            "Most requests to Wikidata; 0 = no limit")
    }
}

extension SettingKey where Value == Int {
    package static var googleBooksDailyBudget: Self {
        SettingKey(
            "BOOKSTRACK_GOOGLE_BOOKS_DAILY_BUDGET", .integer(0...100_000_000, unit: "requests/day"), default: 1_000,
            "Most requests to Google Books; 0 = no limit")
    }
}

extension Settings {
    /// Requests per second that Open Library is asked at most; 0 = no limit. Without a contact it is 1 (spec/06).
    package var openLibraryRequestsPerSecond: Double {
        self[.openLibraryRate] ?? (self[.openLibraryContact] == nil ? 1 : 3)
    }
}
