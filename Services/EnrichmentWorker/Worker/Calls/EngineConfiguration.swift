import Engines
import Foundation
import ProviderClient
import ServiceKit
import Transfer

// The configuration of each engine, and the meaning of its error responses (scans.md "Engines").
extension ProviderConfiguration {
    /// Timeout for an answer from Gemini.
    static let geminiTimeout = Duration.seconds(60)
    /// Timeout for an answer from a server with OpenAI's route.
    static let chatTimeout = Duration.seconds(300)
    /// Timeout for an answer from the shelf reader: its limit for a photo, plus the wait for a photo that another worker has sent.
    static let readerTimeout = Duration.seconds(130)
    /// The name under which the shelf reader lists its only model.
    static let readerModel = "shelf-reader"

    /// The configuration for Gemini, which always requires a key.
    static func gemini(_ base: BaseURL, key: HeaderField, model: String) -> ProviderConfiguration {
        engine(
            .gemini, .gemini, base, key: key, model: model, timeout: geminiTimeout,
            settings: (SettingKey.geminiKey.name, SettingKey.geminiModel.name))
    }

    /// The configuration for a server with OpenAI's route. A self-hosted server may take minutes on a machine without a graphics card. A server that
    /// needs no key can be probed at any time.
    static func chatCompletions(_ base: BaseURL, key: HeaderField?, model: String) -> ProviderConfiguration {
        var configuration = engine(
            .openai, .chatCompletions, base, key: key, model: model, timeout: chatTimeout,
            settings: (SettingKey.visionKey.name, SettingKey.visionModel.name))
        if key == nil { configuration.healthPath = EngineDialect.modelsPath }
        return configuration
    }

    /// The configuration for the suite's own shelf reader, which serves OpenAI's route on its socket.
    ///
    /// - Parameter isOptional: Whether the shelf reader may be missing, because the settings do not mention it.
    static func reader(_ base: BaseURL, _ server: LocalServer, isOptional: Bool) -> ProviderConfiguration {
        let socket = SettingKey.shelfReaderSocket.name
        var configuration = engine(
            .reader, .chatCompletions, base, key: nil, model: readerModel, timeout: readerTimeout,
            settings: (socket, socket))
        configuration.server = server
        configuration.isOptional = isOptional
        configuration.healthPath = EngineDialect.modelsPath
        return configuration
    }

    /// The configuration common to all engines. Their APIs never redirect, so redirects are refused.
    private static func engine(
        _ name: EngineName, _ dialect: EngineDialect, _ base: BaseURL, key: HeaderField?, model: String,
        timeout: Duration, settings: (key: String, model: String)
    ) -> ProviderConfiguration {
        ProviderConfiguration(
            name: name.rawValue, baseURL: base, credential: key.map { .header($0) } ?? .none,
            timeouts: TransferTimeouts(connect: .seconds(5), firstByte: timeout, total: timeout),
            // After a minute or more without an answer, the next engine is more likely to answer than the same one.
            retry: CallRetryPolicy(repeatsTimeouts: false),
            redirectLimit: 0, answerLimit: EngineAnswer.maxBodyBytes,
            judge: { status, body in
                switch dialect.refusal(status, body) {
                case .key: .refused(LastingRefusal(.key, setting: settings.key))
                case .region: .refused(LastingRefusal(.region, setting: SettingKey.scanEngines.name))
                case .model: .refused(LastingRefusal(.model, setting: settings.model, model: model))
                case .dailyQuota: .quotaExhausted(.day)
                case .rate(let delay): delay.map { .rateLimited(retryAfter: $0) } ?? .ordinary
                case .photo: .answer
                case .other: .ordinary
                }
            })
    }
}

extension HeaderField {
    /// A header with a key.
    /// - Throws: `SettingsError` for a key that cannot be sent in a header.
    static func key(
        _ name: String, _ key: Secret, prefix: String = "", of setting: String
    ) throws(SettingsError) -> HeaderField {
        guard let field = HeaderField(name: name, value: prefix + key.exposed) else {
            throw .contradiction("\(setting) contains characters that cannot be sent in a header")
        }
        return field
    }
}

/// Creates the configured AI engines.
struct EngineFactory {
    /// Name of the daily count shared by all engines with a key (``BudgetStore``).
    static let budgetName = "scans"

    let settings: Settings
    /// Creates a client whose requests, if limited per day, count under ``budgetName``.
    let client: (ProviderConfiguration, BudgetLimits) async throws -> ProviderClient

    /// The engines listed in the settings, in that order, except those that lack the key or URL they need.
    func engines() async throws -> [Engine] {
        var engines: [Engine] = []
        for name in settings[.scanEngines] {
            let engine: Engine? =
                switch name {
                case .gemini: try await gemini()
                case .openai: try await chatCompletions()
                case .reader: try await reader()
                }
            if let engine { engines.append(engine) }
        }
        return engines
    }

    private func gemini() async throws -> Engine? {
        guard let key = settings[.geminiKey] else { return nil }
        let field = try HeaderField.key("x-goog-api-key", key, of: SettingKey.geminiKey.name)
        let client = try await client(
            .gemini(try base(settings[.geminiBaseURL]), key: field, model: settings[.geminiModel]),
            BudgetLimits(requestsPerDay: settings[.scanDailyBudget]))
        return Engine(
            name: .gemini, model: settings[.geminiModel], dialect: .gemini,
            photoTimeout: ProviderConfiguration.geminiTimeout * 2,
            client: client)
    }

    /// The engine with OpenAI's route; nil if no base URL is set. Requests to a server that needs no key cost nothing, so they are not counted. There
    /// is one request at a time, because small servers handle no more.
    private func chatCompletions() async throws -> Engine? {
        guard let address = settings[.visionBaseURL] else { return nil }
        guard let model = settings[.visionModel] else {
            throw SettingsError.contradiction("BOOKSTRACK_VISION_BASE_URL needs BOOKSTRACK_VISION_MODEL")
        }
        let field = try settings[.visionKey].map { key throws(SettingsError) in
            try HeaderField.key("Authorization", key, prefix: ProviderCredential.bearer, of: SettingKey.visionKey.name)
        }
        let client = try await client(
            .chatCompletions(try base(address), key: field, model: model),
            BudgetLimits(requestsPerDay: field == nil ? 0 : settings[.scanDailyBudget], concurrent: 1))
        return Engine(
            name: .openai, model: model, dialect: .chatCompletions,
            photoTimeout: ProviderConfiguration.chatTimeout * Engine.photosAtOnce, client: client)
    }

    /// The shelf reader, which reads one photo at a time. The photos of this worker's jobs wait for each other here, not in the reader.
    private func reader() async throws -> Engine {
        let configured = settings[.shelfReaderSocket]
        let path = try configured ?? SuiteDirectories(settings).shelfReaderSocket
        let server = LocalServer(path: path, users: Set(settings[.allowedUserIDs]).union([getuid()]))
        let client = try await client(
            .reader(try base("http://shelf-reader/v1"), server, isOptional: configured == nil),
            BudgetLimits(requestsPerDay: 0, concurrent: 1))
        return Engine(
            name: .reader, model: ProviderConfiguration.readerModel, dialect: .chatCompletions,
            photoTimeout: ProviderConfiguration.readerTimeout * Engine.photosAtOnce, client: client)
    }

    private func base(_ text: String) throws(SettingsError) -> BaseURL {
        guard let base = BaseURL(text) else { throw .contradiction("\(text) is not a valid engine base URL") }
        return base
    }
}
