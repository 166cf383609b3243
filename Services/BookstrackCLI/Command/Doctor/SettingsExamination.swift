import ServiceKit
import SuiteMethods

/// Examines the effective settings of the services.
struct SettingsExamination {
    private static let subject = "settings"

    let settings: Settings
    /// Warnings about the variables of this process.
    let warnings: [String]

    init(settings: Settings, warnings: [String]? = nil) {
        self.settings = settings
        self.warnings = warnings ?? settings.warnings
    }

    func findings() -> [Finding] {
        changed + warnings.map { .warning(Self.subject, $0, advice: "list all names with: bookstrack config") }
            + [listeners, rateLimit, tokenless, contact, googleKey].compactMap(\.self) + limitless
    }

    /// The differences from the defaults; for secrets, only that they are set.
    private var changed: [Finding] {
        let changed = settings.reported.filter { !$0.isDefault }
        guard !changed.isEmpty else { return [.ok(Self.subject, "all settings have their default values")] }
        return changed.map { .ok(Self.subject, "\($0.name) is \($0.value) (\($0.source))") }
    }

    private var listeners: Finding? {
        guard settings[.httpPort] == settings[.adminPort], settings[.httpHost] == settings[.adminHost] else {
            return nil
        }
        return .problem(
            Self.subject, "both listeners of api-proxy are set to port \(settings[.httpPort])",
            advice: "set BOOKSTRACK_ADMIN_PORT to another one")
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
                Self.subject, "anyone who knows a job's id may watch it",
                advice: "set BOOKSTRACK_LEGACY_TOKENLESS=false once no v1 client is left") : nil
    }

    private var contact: Finding? {
        settings.providerContact != nil
            ? nil
            : .warning(
                Self.subject,
                "there is no contact for providers: Open Library and Wikidata are limited to one request per second, and Wikidata may refuse requests",
                advice: "set BOOKSTRACK_CONTACT to a mail or web address")
    }

    private var googleKey: Finding? {
        settings[.googleBooksKey] != nil
            ? nil
            : .warning(
                Self.subject,
                "there is no key for Google Books: keyless access shares a global quota that is usually exhausted",
                advice: "get a free one and set BOOKSTRACK_GOOGLE_BOOKS_API_KEY, or …_FILE")
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

/// Examines the sources of settings: files that prevent a start, and services that were not restarted after a change.
struct SurveyExamination {
    private static let subject = "settings"

    let survey: SettingsSurvey

    func findings() -> [Finding] {
        installed + survey.origins.map { .ok(Self.subject, $0) } + survey.parts.flatMap(outdated)
    }

    private var installed: [Finding] {
        guard let failure = survey.installedFailure else { return [] }
        guard failure.status != .notPermitted else {
            return [.warning(Self.subject, failure.message, advice: "run the command as root to see all settings")]
        }
        return [
            .problem(
                Self.subject, failure.message,
                advice: "fix this first (\(survey.installedFile ?? "")); no service will start until you do")
        ]
    }

    private func outdated(_ part: SettingsSurvey.Part) -> [Finding] {
        guard !part.pending.isEmpty else { return [] }
        let changes = part.pending.sorted { $0.key < $1.key }.map { name, value in
            let running = part.settings.first { $0.name == name }?.value ?? ""
            return
                "\(name) is \(running.isEmpty ? "not set" : running), the file has \(value.isEmpty ? "nothing" : value)"
        }
        return [
            .warning(
                part.service.name,
                "runs with other settings than \(survey.installedFile ?? "the file"): \(changes.joined(separator: "; "))",
                advice: "restart it to apply the changes: systemctl restart \(SystemdManager.unit(of: part.service))")
        ]
    }
}
