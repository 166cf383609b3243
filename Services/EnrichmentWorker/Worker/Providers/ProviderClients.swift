import BookMetadata
import Foundation
import Logging
import ProviderHTTP
import ServiceKit

/// The providers as configured, on one engine.
struct ProviderClients: Sendable {
    let engine: TransferEngine
    let caller: ProviderCaller

    /// - Throws: `SettingsError` for an address or contact that no request can carry, and what the engine or the budget store
    ///   throws.
    init(_ settings: Settings, budgets: any DailyBudgetStore, clock: any ProviderClock, logger: Logger) async throws {
        let asked = settings.openLibraryRequestsPerSecond
        // The budget counts whole requests; a rate below one or between two is kept by the desk's pace.
        let rate = asked > 0 ? max(1, Int(asked)) : 0
        guard let agent = UserAgent(version: SuiteVersion.text, contact: settings[.openLibraryContact]) else {
            throw SettingsError.contradiction("BOOKSTRACK_OPEN_LIBRARY_CONTACT cannot be sent in a User-Agent")
        }
        engine = try TransferEngine(userAgent: agent)
        let polite = BudgetLimits(requestsPerSecond: rate)
        let openLibrary = ProviderClient(
            configuration: ProviderConfiguration(
                name: ProviderName.openLibrary.rawValue, baseURL: try Self.base(settings[.openLibraryBaseURL]),
                judge: { status, _ in
                    status == 403 ? .quotaExhausted(.unknown) : .ordinary
                }),
            engine: engine,
            budget: RequestBudget(
                provider: ProviderName.openLibrary.rawValue, limits: polite, clock: clock, logger: logger),
            clock: clock, logger: logger)
        let daily = BudgetLimits(requestsPerDay: settings[.googleBooksDailyBudget])
        let googleBooks = ProviderClient(
            configuration: ProviderConfiguration(
                name: ProviderName.googleBooks.rawValue, baseURL: try Self.base(settings[.googleBooksBaseURL]),
                credential: Self.googleCredential(settings[.googleBooksKey]),
                judge: { status, body in
                    // A bare 429 asks for a pause, not for the end of the day: only the body decides.
                    GoogleBooksFailure(status: status == 429 ? 400 : status, body: body) == .quotaExhausted
                        ? .quotaExhausted(.unknown) : .ordinary
                }),
            engine: engine,
            budget: try await RequestBudget(
                provider: ProviderName.googleBooks.rawValue, limits: daily, store: budgets, clock: clock,
                logger: logger),
            clock: clock, logger: logger)
        caller = ProviderCaller(
            openLibrary: openLibrary, googleBooks: googleBooks,
            openLibrarySpacing: polite.spacing.map { max($0, .milliseconds(1_030) * (1 / asked)) })
    }

    private static func base(_ text: String) throws(SettingsError) -> BaseURL {
        guard let base = BaseURL(text) else { throw .contradiction("\(text) is no base address of a provider") }
        return base
    }

    private static func googleCredential(_ key: Secret?) -> ProviderCredential {
        guard let key else { return .none }
        // RFC 3986 §2.3: only unreserved characters look the same in every encoder's hands.
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let unreserved = CharacterSet(charactersIn: letters + "0123456789-._~")
        let value = key.exposed.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        return .query(name: "key", value: value)
    }
}
