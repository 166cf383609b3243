import BookMetadata
import BookstrackContract
import Foundation
import Logging
import Observability
import ProviderClient
import ServiceKit
import SuiteMethods
import Transfer

/// The clients of all configured providers, on one transfer engine.
struct ProviderClients: Sendable {
    let engine: TransferEngine
    let caller: ProviderCaller
    let covers: CoverClients
    /// The AI engines, in the order in which they are queried.
    let engines: [Engine]

    /// The clients for books and authors, for covers, and for AI engines.
    var all: [ProviderClient] { shown + covers.all }

    /// The clients shown in readiness reports and operators' figures: all except those for covers.
    var shown: [ProviderClient] { caller.clients + engines.map(\.client) }

    /// - Throws: `SettingsError` for an unusable setting, and errors from the transfer engine and the budget store.
    init(_ settings: Settings, budgets: any BudgetStore, clock: any SuiteClock, logger: Logger) async throws {
        guard let agent = UserAgent(version: SuiteVersion.text, contact: settings.providerContact) else {
            throw SettingsError.contradiction(
                "BOOKSTRACK_CONTACT contains characters that cannot be sent in a User-Agent header")
        }
        engine = try TransferEngine(userAgent: agent, route: try Self.route(settings))
        let factory = ClientFactory(engine: engine, budgets: budgets, clock: clock, logger: logger)
        let openLibrary = try await factory.shared(
            .openLibrary(try Self.base(settings[.openLibraryBaseURL])),
            BudgetLimits(perSecond: settings.openLibraryRequestsPerSecond))
        let isbndb = try await Self.isbndb(settings, factory)
        caller = ProviderCaller(
            openLibrary: openLibrary,
            googleBooks: try await factory.shared(
                .googleBooks(
                    try Self.base(settings[.googleBooksBaseURL]), key: settings[.googleBooksKey],
                    country: settings[.googleBooksCountry]),
                BudgetLimits(requestsPerDay: settings[.googleBooksDailyBudget])),
            googleBooksReserve: settings[.googleBooksDailyBudget] / 2,
            isbndb: isbndb, isbndbReserve: settings[.isbndbDailyBudget] / 2,
            wikidata: try await factory.shared(
                .wikidata(try Self.base(settings[.wikidataBaseURL])),
                BudgetLimits(perSecond: settings.wikidataRequestsPerSecond, concurrent: Self.maxWikidataRequests)),
            pacers: [.openLibrary: openLibrary.budget, .isbndb: isbndb?.budget]
                .compactMapValues { $0?.spacing == nil ? nil : $0 })
        covers = try CoverClients { host in
            let base = try Self.base(settings[.coversBaseURL] ?? "https://\(host.rawValue)")
            return factory.client(.covers(host, at: base), BudgetLimits(perSecond: host.requestsPerSecond))
        }
        engines = try await EngineFactory(settings: settings) { configuration, limits in
            try await factory.shared(configuration, limits, countedAs: EngineFactory.budgetName)
        }.engines()
    }

    private static func route(_ settings: Settings) throws(SettingsError) -> TransferRoute {
        let authorities = settings[.certificateAuthorities]
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw .unreadableFile(
                path: authorities, reason: "BOOKSTRACK_CA_FILE must name a readable file of certificates")
        }
        let proxy = ProxyRule(proxy: settings[.httpsProxy], except: settings[.noProxy])
        return TransferRoute(proxy: proxy, authorities: authorities)
    }

    /// Wikimedia asks for at most three concurrent requests (https://wikitech.wikimedia.org/wiki/Robot_policy).
    private static let maxWikidataRequests = 3

    /// The client for ISBNdb; nil without a key.
    private static func isbndb(_ settings: Settings, _ factory: ClientFactory) async throws -> ProviderClient? {
        guard let key = settings[.isbndbKey] else { return nil }
        return try await factory.shared(
            .isbndb(try base(settings[.isbndbBaseURL]), key: key),
            BudgetLimits(perSecond: settings[.isbndbRate], perDay: settings[.isbndbDailyBudget]))
    }

    private static func base(_ text: String) throws(SettingsError) -> BaseURL {
        guard let base = BaseURL(text) else { throw .contradiction("\(text) is not a valid provider base URL") }
        return base
    }

    /// Creates clients that use one transfer engine.
    private struct ClientFactory {
        let engine: TransferEngine
        let budgets: any BudgetStore
        let clock: any SuiteClock
        let logger: Logger

        /// Creates a client whose limits apply to this process.
        func client(_ configuration: ProviderConfiguration, _ limits: BudgetLimits) -> ProviderClient {
            client(configuration, RequestBudget(limits: limits, clock: clock))
        }

        /// Creates a client whose rate and daily budget are shared by all processes using the same store.
        /// - Parameter name: The name under which requests are counted; clients with the same name share a daily
        ///   budget. Nil for the client's own name.
        func shared(
            _ configuration: ProviderConfiguration, _ limits: BudgetLimits, countedAs name: String? = nil
        ) async throws -> ProviderClient {
            client(
                configuration,
                try await RequestBudget(
                    provider: name ?? configuration.name, limits: limits, store: budgets, clock: clock, logger: logger)
            )
        }

        private func client(_ configuration: ProviderConfiguration, _ budget: RequestBudget) -> ProviderClient {
            ProviderClient(configuration: configuration, engine: engine, budget: budget, clock: clock, logger: logger)
        }
    }
}

extension BudgetLimits {
    /// Creates limits; 0 means no limit.
    fileprivate init(perSecond rate: Double, perDay: Int = 0, concurrent: Int = 0) {
        self.init(
            requestsPerSecond: rate > 0 ? max(1, Int(rate)) : 0, requestsPerDay: perDay,
            minSpacing: rate > 0 ? .milliseconds(1_030) * (1 / rate) : .zero, concurrent: concurrent)
    }
}

extension ProviderName {
    /// The contract's name for a book provider; nil for Wikidata, which provides authors.
    var bookProvider: DataProvider? { DataProvider(rawValue: rawValue) }
}

// The configuration of each provider, and the meaning of its error responses.
extension ProviderConfiguration {
    /// The configuration for Open Library, which responds with 403 to a client that has sent too many requests.
    static func openLibrary(_ base: BaseURL) -> ProviderConfiguration {
        ProviderConfiguration(
            name: ProviderName.openLibrary.rawValue, baseURL: base,
            judge: { status, _ in status == 403 ? .quotaExhausted(.unknown) : .ordinary })
    }

    /// The configuration for Google Books. A 429 from Google can mean a short pause or an exhausted daily quota; it counts as an exhausted quota only
    /// if the body says so. Refusals because of the key or the country last until a setting is corrected.
    ///
    /// - Parameter country: A two-letter code; if it is missing, Google refuses servers whose country it cannot determine.
    static func googleBooks(_ base: BaseURL, key: Secret?, country: String) -> ProviderConfiguration {
        ProviderConfiguration(
            name: ProviderName.googleBooks.rawValue, baseURL: base,
            credential: key.map { .query("key", key: $0.exposed) } ?? .none,
            commonQuery: "country=\(country)",
            judge: { status, body in
                switch GoogleBooksFailure(status: status, body: body) {
                case .quotaExhausted: .quotaExhausted(.unknown)
                case .keyRefused: .refused(LastingRefusal(.key, setting: SettingKey.googleBooksKey.name))
                case .locationUnknown: .refused(LastingRefusal(.country, setting: SettingKey.googleBooksCountry.name))
                case .notFound, .unavailable, .refused: .ordinary
                }
            })
    }

    /// The configuration for ISBNdb, which responds with 401 to a wrong key, and with 403 if the day's requests are used up or the key is for a
    /// different plan (https://isbndb.com/isbndb-api-documentation-v2); for a 403, the body shows which.
    ///
    /// - Throws: `SettingsError` for a key with characters that are not allowed in a header.
    static func isbndb(_ base: BaseURL, key: Secret) throws(SettingsError) -> ProviderConfiguration {
        let field = try HeaderField.key("Authorization", key, of: SettingKey.isbndbKey.name)
        return ProviderConfiguration(
            name: ProviderName.isbndb.rawValue, baseURL: base, credential: .header(field),
            judge: { status, body in
                switch ISBNdbFailure(status: status, body: body) {
                case .quotaExhausted: .quotaExhausted(.unknown)
                case .keyRefused: .refused(LastingRefusal(.key, setting: SettingKey.isbndbKey.name))
                case .other: .ordinary
                }
            })
    }

    /// The configuration for Wikidata. Wikimedia responds with 403 to requests without contact details
    /// (https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy).
    static func wikidata(_ base: BaseURL) -> ProviderConfiguration {
        ProviderConfiguration(
            name: ProviderName.wikidata.rawValue, baseURL: base,
            judge: { status, _ in
                status == 403
                    ? .refused(LastingRefusal(.identification, setting: SettingKey.contact.name)) : .ordinary
            })
    }
}
