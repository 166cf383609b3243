import ServiceKit
import SuiteMethods

/// Examines where the settings come from. Finds files that prevent services from starting, and services that have not been restarted since a change.
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
                "\(name) is \(running.isEmpty ? "not set" : running) but \(value.isEmpty ? "not set" : value) in the file"
        }
        return [
            .warning(
                part.service.name,
                "runs with settings that differ from \(survey.installedFile ?? "the file"): \(changes.joined(separator: "; "))",
                advice: "restart it to apply the changes: systemctl restart \(SystemdManager.unit(of: part.service))")
        ]
    }
}
