// Settings of the metadata providers, read by enrichment-worker.

extension SettingKey where Value == String {
    package static var googleBooksBaseURL: Self {
        SettingKey(
            "BOOKSTRACK_GOOGLE_BOOKS_BASE_URL", .baseURL, default: "https://www.googleapis.com/books/v1",
            "Base URL of the Google Books API")
    }

    package static var openLibraryBaseURL: Self {
        SettingKey(
            "BOOKSTRACK_OPEN_LIBRARY_BASE_URL", .baseURL, default: "https://openlibrary.org",
            "Base URL of the Open Library API")
    }

    package static var isbndbBaseURL: Self {
        SettingKey(
            "BOOKSTRACK_ISBNDB_BASE_URL", .baseURL, default: "https://api2.isbndb.com", "Base URL of the ISBNdb API")
    }

    package static var wikidataBaseURL: Self {
        SettingKey(
            "BOOKSTRACK_WIKIDATA_BASE_URL", .baseURL, default: "https://www.wikidata.org",
            "Base URL of the Wikidata API")
    }

    /// The country sent to Google, which responds with 403 to servers whose country it cannot determine, unless the request contains one
    /// (https://developers.google.com/books/docs/v1/using#UserLocation).
    package static var googleBooksCountry: Self {
        SettingKey(
            "BOOKSTRACK_GOOGLE_BOOKS_COUNTRY", .countryCode, default: "US",
            "Country sent to Google Books, as a two-letter ISO 3166-1 code")
    }
}

extension SettingKey where Value == String? {
    /// If nil, covers are fetched from their original hosts.
    package static var coversBaseURL: Self {
        SettingKey(
            "BOOKSTRACK_COVERS_BASE_URL", .optionalBaseURL, default: nil, note: "the original hosts",
            "Mirror from which all covers are fetched, with the same paths as on the original hosts")
    }

    package static var httpsProxy: Self {
        SettingKey(
            "BOOKSTRACK_HTTPS_PROXY", .optionalProxy, default: nil, note: "value of HTTPS_PROXY",
            orElse: ["https_proxy", "HTTPS_PROXY"], "Proxy for https requests to providers")
    }

    package static var noProxy: Self {
        SettingKey(
            "BOOKSTRACK_NO_PROXY", .optionalText, default: nil, note: "value of NO_PROXY",
            orElse: ["no_proxy", "NO_PROXY"],
            "Hosts, domains and networks contacted without the proxy, separated by commas; * for all")
    }

    package static var certificateAuthorities: Self {
        SettingKey(
            "BOOKSTRACK_CA_FILE", .optionalText, default: nil, note: "the system's",
            "PEM file of trusted certificate authorities for providers and the proxy")
    }

    /// Read `Settings.providerContact` instead, which includes the alias.
    package static var contact: Self {
        SettingKey(
            "BOOKSTRACK_CONTACT", .optionalText, default: nil,
            "Contact e-mail or web address, sent to all providers in the User-Agent")
    }

    package static var openLibraryContact: Self {
        SettingKey(
            "BOOKSTRACK_OPEN_LIBRARY_CONTACT", .optionalText, default: nil, note: "none; alias of BOOKSTRACK_CONTACT",
            "Same as BOOKSTRACK_CONTACT, which takes precedence")
    }
}

extension SettingKey where Value == Secret? {
    package static var googleBooksKey: Self {
        SettingKey("BOOKSTRACK_GOOGLE_BOOKS_API_KEY", .secret, default: nil, "Google Books API key")
    }

    package static var isbndbKey: Self {
        SettingKey("BOOKSTRACK_ISBNDB_API_KEY", .secret, default: nil, "ISBNdb API key")
    }
}

extension SettingCatalog {
    static let providers: [SettingDeclaration] = [
        SettingKey.contact.declaration, SettingKey.httpsProxy.declaration, SettingKey.noProxy.declaration,
        SettingKey.certificateAuthorities.declaration,
        SettingKey.openLibraryBaseURL.declaration, SettingKey.openLibraryContact.declaration,
        SettingKey.openLibraryRate.declaration, SettingKey.googleBooksBaseURL.declaration,
        SettingKey.googleBooksKey.declaration, SettingKey.googleBooksCountry.declaration,
        SettingKey.googleBooksDailyBudget.declaration,
        SettingKey.isbndbBaseURL.declaration, SettingKey.isbndbKey.declaration, SettingKey.isbndbRate.declaration,
        SettingKey.isbndbDailyBudget.declaration,
        SettingKey.wikidataBaseURL.declaration, SettingKey.wikidataRate.declaration,
        SettingKey.coversBaseURL.declaration,
    ]
}

// Request rates and daily budgets.

extension SettingKey where Value == Double? {
    /// If nil, `Settings.openLibraryRequestsPerSecond` determines the rate.
    package static var openLibraryRate: Self {
        SettingKey(
            "BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND", .optionalRatePerSecond, default: nil,
            note: "3 with a contact, else 1", "Maximum request rate to Open Library; 0 = no limit")
    }

    /// If nil, `Settings.wikidataRequestsPerSecond` determines the rate.
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
            "BOOKSTRACK_GOOGLE_BOOKS_DAILY_BUDGET", .integer(0...100_000_000, unit: "per day"), default: 1_000,
            "Maximum requests to Google Books; 0 = no limit")
    }

    package static var isbndbDailyBudget: Self {
        SettingKey(
            "BOOKSTRACK_ISBNDB_DAILY_BUDGET", .integer(0...100_000_000, unit: "per day"), default: 1_000,
            "Maximum requests to ISBNdb, of up to 100 ISBNs each; 0 = no limit")
    }
}

extension Settings {
    /// Maximum requests per second to Open Library; 0 = no limit. The default is 3 with a contact, else 1 (configuration.md).
    package var openLibraryRequestsPerSecond: Double {
        self[.openLibraryRate] ?? (providerContact == nil ? 1 : 3)
    }

    /// Maximum requests per second to Wikidata; 0 = no limit. The default is 1 or, with a contact, 3, because Wikimedia allows identified clients 200
    /// requests per minute (https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits).
    package var wikidataRequestsPerSecond: Double {
        self[.wikidataRate] ?? (providerContact == nil ? 1 : 3)
    }

    /// Contact address for providers: `BOOKSTRACK_CONTACT`, else its alias; nil if neither is set.
    package var providerContact: String? { self[.contact] ?? self[.openLibraryContact] }
}
