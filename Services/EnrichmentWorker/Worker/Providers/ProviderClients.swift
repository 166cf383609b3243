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
    init(_ settings: Settings, budgets: any DailyBudgetStore, clock: any ProviderClock, logger: Logger) async throws {
        guard let agent = UserAgent(version: SuiteVersion.text, contact: settings[.openLibraryContact]) else {
            throw SettingsError.contradiction("BOOKSTRACK_OPEN_LIBRARY_CONTACT cannot be sent in a User-Agent")
        }
        engine = try TransferEngine(userAgent: agent)
        let workshop = Workshop(engine: engine, clock: clock, logger: logger)
        let asked = settings.openLibraryRequestsPerSecond
        let polite = BudgetLimits(perSecond: asked)
        caller = ProviderCaller(
            openLibrary: workshop.client(.openLibrary(try Self.base(settings[.openLibraryBaseURL])), polite),
            googleBooks: try await workshop.client(
                .googleBooks(try Self.base(settings[.googleBooksBaseURL]), key: settings[.googleBooksKey]),
                requestsPerDay: settings[.googleBooksDailyBudget], kept: budgets),
            googleBooksReserve: settings[.googleBooksDailyBudget] / 2,
            isbndb: try settings[.isbndbKey].map { key in
                let base = try Self.base(settings[.isbndbBaseURL])
                return workshop.client(try .isbndb(base, key: key), BudgetLimits(perSecond: settings[.isbndbRate]))
            },
            wikidata: workshop.client(
                .wikidata(try Self.base(settings[.wikidataBaseURL])), BudgetLimits(perSecond: settings[.wikidataRate])),
            openLibrarySpacing: polite.spacing.map { max($0, .milliseconds(1_030) * (1 / asked)) })
        covers = try CoverClients { host in
            let base = try Self.base(settings[.coversBaseURL] ?? "https://\(host.rawValue)")
            return workshop.client(.covers(host, at: base), BudgetLimits())
        }
    }

    private static func base(_ text: String) throws(SettingsError) -> BaseURL {
        guard let base = BaseURL(text) else { throw .contradiction("\(text) is no base address of a provider") }
        return base
    }

    /// Makes clients of one engine.
    private struct Workshop {
        let engine: TransferEngine
        let clock: any ProviderClock
        let logger: Logger

        func client(_ configuration: ProviderConfiguration, _ limits: BudgetLimits) -> ProviderClient {
            let budget = RequestBudget(provider: configuration.name, limits: limits, clock: clock, logger: logger)
            return client(configuration, budget)
        }

        /// A client whose requests of the day outlive the process.
        func client(
            _ configuration: ProviderConfiguration, requestsPerDay: Int, kept store: any DailyBudgetStore
        ) async throws -> ProviderClient {
            let budget = try await RequestBudget(
                provider: configuration.name, limits: BudgetLimits(requestsPerDay: requestsPerDay), store: store,
                clock: clock, logger: logger)
            return client(configuration, budget)
        }

        private func client(_ configuration: ProviderConfiguration, _ budget: RequestBudget) -> ProviderClient {
            ProviderClient(configuration: configuration, engine: engine, budget: budget, clock: clock, logger: logger)
        }
    }
}

extension BudgetLimits {
    /// The budget counts whole requests; a rate below one or between two is kept by the desk's pace. 0 is no limit.
    fileprivate init(perSecond rate: Double) {
        self.init(requestsPerSecond: rate > 0 ? max(1, Int(rate)) : 0)
    }
}
