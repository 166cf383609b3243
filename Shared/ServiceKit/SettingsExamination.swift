import SuiteMethods

/// Examines the effective settings of the services.
package struct SettingsExamination {
    private static let subject = "settings"

    let settings: Settings
    /// Warnings about this process's variables and configuration file.
    let warnings: [String]

    package init(settings: Settings, warnings: [String]? = nil) {
        self.settings = settings
        self.warnings = warnings ?? settings.warnings
    }

    package func findings() -> [Finding] {
        changed + warnings.map { .warning(Self.subject, $0, advice: "list all settings with: bookstrack config") }
            + [listeners, rateLimit, tokenless, contact, googleKey].compactMap(\.self) + limitless
    }

    /// The differences from the defaults; for secrets, only that they are set.
    private var changed: [Finding] {
        let changed = settings.reported.filter { !$0.isDefault }
        guard !changed.isEmpty else { return [.ok(Self.subject, "all settings have their default values")] }
        return changed.map { .ok(Self.subject, "\($0.name) is \($0.value) (\($0.source))") }
    }

    /// A conflict between the two listeners. If both ports are 0, there is none: the system chooses a different port for each listener.
    private var listeners: Finding? {
        let port = settings[.httpPort]
        guard port != 0, port == settings[.adminPort], settings[.httpHost] == settings[.adminHost] else { return nil }
        return .problem(
            Self.subject, "both listeners of api-proxy are set to port \(port)",
            advice: "set BOOKSTRACK_ADMIN_PORT to a different port")
    }

    private var rateLimit: Finding? {
        settings[.rateLimit]
            ? nil
            : .warning(
                Self.subject, "rate limiting is off", advice: "set BOOKSTRACK_RATE_LIMIT=on; off is for load tests")
    }

    private var tokenless: Finding? {
        settings[.legacyTokenless]
            ? .warning(
                Self.subject, "anyone who knows a job's id can watch and cancel it",
                advice: "set BOOKSTRACK_LEGACY_TOKENLESS=off once no v1 client is left") : nil
    }

    private var contact: Finding? {
        settings.providerContact != nil
            ? nil
            : .warning(
                Self.subject,
                "no contact for providers is set: the default limit for Open Library and Wikidata is one request per second, and Wikidata may refuse requests",
                advice: "set BOOKSTRACK_CONTACT to an e-mail or web address")
    }

    private var googleKey: Finding? {
        settings[.googleBooksKey] != nil
            ? nil
            : .warning(
                Self.subject,
                "no key for Google Books is set: keyless access shares a global quota that is usually exhausted",
                advice: "get a free key and set BOOKSTRACK_GOOGLE_BOOKS_API_KEY, or …_FILE")
    }

    /// Real providers that are called without a rate limit.
    private var limitless: [Finding] {
        [
            (
                SettingKey.openLibraryBaseURL, settings.openLibraryRequestsPerSecond,
                SettingKey<Double?>.openLibraryRate.name
            ),
            (SettingKey.wikidataBaseURL, settings.wikidataRequestsPerSecond, SettingKey<Double?>.wikidataRate.name),
            (SettingKey.isbndbBaseURL, settings[.isbndbRate], SettingKey<Double>.isbndbRate.name),
        ].filter { key, rate, _ in rate == 0 && settings[key] == key.fallback }.map { key, _, name in
            .warning(
                Self.subject, "\(settings[key]) is called without a rate limit",
                advice: "\(name)=0 is for emulators; unset it")
        }
    }
}
