import BookMetadata
import Foundation
import Logging
import ProviderHTTP
import ServiceKit
import SuiteMethods

/// The providers as configured, on one engine.
struct ProviderClients: Sendable {
    let engine: TransferEngine
    let caller: ProviderCaller
    let covers: CoverClients

    /// Those that are asked for books and authors, and those that have covers.
    var all: [ProviderClient] { caller.clients + covers.all }

    /// - Throws: `SettingsError` for an address or contact that no request can carry, and what the engine or the budget store
    ///   throws.
    init(_ settings: Settings, budgets: any BudgetStore, clock: any ProviderClock, logger: Logger) async throws {
        guard let agent = UserAgent(version: SuiteVersion.text, contact: settings.providerContact) else {
            throw SettingsError.contradiction("BOOKSTRACK_CONTACT cannot be sent in a User-Agent")
        }
        engine = try TransferEngine(userAgent: agent, route: try Self.route(settings))
        let workshop = Workshop(engine: engine, budgets: budgets, clock: clock, logger: logger)
        let polite = BudgetLimits(perSecond: settings.openLibraryRequestsPerSecond)
        caller = ProviderCaller(
            openLibrary: try await workshop.shared(.openLibrary(try Self.base(settings[.openLibraryBaseURL])), polite),
            googleBooks: try await workshop.shared(
                .googleBooks(
                    try Self.base(settings[.googleBooksBaseURL]), key: settings[.googleBooksKey],
                    country: settings[.googleBooksCountry]),
                BudgetLimits(requestsPerDay: settings[.googleBooksDailyBudget])),
            googleBooksReserve: settings[.googleBooksDailyBudget] / 2,
            isbndb: try await Self.isbndb(settings, workshop), isbndbReserve: settings[.isbndbDailyBudget] / 2,
            wikidata: try await workshop.shared(
                .wikidata(try Self.base(settings[.wikidataBaseURL])),
                BudgetLimits(perSecond: settings.wikidataRequestsPerSecond, concurrent: Self.mostWikidataRequests)),
            spacings: [.openLibrary: polite.spacing, .isbndb: BudgetLimits(perSecond: settings[.isbndbRate]).spacing]
                .compactMapValues(\.self))
        covers = try CoverClients { host in
            let base = try Self.base(settings[.coversBaseURL] ?? "https://\(host.rawValue)")
            return workshop.client(.covers(host, at: base), BudgetLimits(perSecond: host.requestsPerSecond))
        }
    }

    private static func route(_ settings: Settings) throws(SettingsError) -> TransferRoute {
        let authorities = settings[.certificateAuthorities]
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw .unreadableFile(path: authorities, reason: "it should hold the certificates of BOOKSTRACK_CA_FILE")
        }
        let proxy = ProxyRule(proxy: settings[.httpsProxy], except: settings[.noProxy])
        return TransferRoute(proxy: proxy, authorities: authorities)
    }

    /// Wikimedia asks for no more than three requests at a time (https://wikitech.wikimedia.org/wiki/Robot_policy).
    private static let mostWikidataRequests = 3

    /// Nil without a key.
    private static func isbndb(_ settings: Settings, _ workshop: Workshop) async throws -> ProviderClient? {
        guard let key = settings[.isbndbKey] else { return nil }
        return try await workshop.shared(
            .isbndb(try base(settings[.isbndbBaseURL]), key: key),
            BudgetLimits(perSecond: settings[.isbndbRate], perDay: settings[.isbndbDailyBudget]))
    }

    private static func base(_ text: String) throws(SettingsError) -> BaseURL {
        guard let base = BaseURL(text) else { throw .contradiction("\(text) is no base address of a provider") }
        return base
    }

    /// Makes clients of one engine.
    private struct Workshop {
        let engine: TransferEngine
        let budgets: any BudgetStore
        let clock: any ProviderClock
        let logger: Logger

        /// A client whose limits hold for this process.
        func client(_ configuration: ProviderConfiguration, _ limits: BudgetLimits) -> ProviderClient {
            client(
                configuration,
                RequestBudget(provider: configuration.name, limits: limits, clock: clock, logger: logger))
        }

        /// A client whose limits hold over all processes on the same store.
        func shared(_ configuration: ProviderConfiguration, _ limits: BudgetLimits) async throws -> ProviderClient {
            client(
                configuration,
                try await RequestBudget(
                    provider: configuration.name, limits: limits, store: budgets, clock: clock, logger: logger))
        }

        private func client(_ configuration: ProviderConfiguration, _ budget: RequestBudget) -> ProviderClient {
            ProviderClient(configuration: configuration, engine: engine, budget: budget, clock: clock, logger: logger)
        }
    }
}

extension BudgetLimits {
    /// 0 is no limit.
    fileprivate init(perSecond rate: Double, perDay: Int = 0, concurrent: Int = 0) {
        self.init(
            requestsPerSecond: rate > 0 ? max(1, Int(rate)) : 0, requestsPerDay: perDay,
            leastSpacing: rate > 0 ? .milliseconds(1_030) * (1 / rate) : .zero, concurrent: concurrent)
    }
}
