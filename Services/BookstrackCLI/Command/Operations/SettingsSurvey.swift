import BookstrackContract
import JSONRPC
import ServiceKit
import SuiteMethods

/// The settings of the services: those of the running services, otherwise the installed ones, otherwise those of this process.
struct SettingsSurvey: Sendable {
    enum Origin: String, Encodable, Sendable {
        /// Reported by the service itself.
        case running
        /// Read from the installed files: the service does not answer.
        case installed
        /// From the settings of this process, for example because the service does not answer and there are no usable installed settings.
        case environment
    }

    /// The settings of one process.
    struct Part: Sendable {
        let service: ServiceInstance
        let origin: Origin
        let settings: [ReadSettings.Setting]
        /// What a restart would change: the installed values by variable.
        var pending: [String: String] = [:]
    }

    /// A setting with its value in the services that use it.
    struct Row: Sendable {
        let setting: ReadSettings.Setting
        let declared: EffectiveSetting
        let origin: Origin
        /// Names of the processes with this value; empty for a setting that only the command line uses.
        var services: [String]
        /// The installed value, if it differs from the current one.
        let pending: String?
    }

    let parts: [Part]
    /// Why the installed files cannot be used; nil if there is no such fault.
    let installedFailure: CommandFailure?
    /// Path of the installed file, if there is one.
    let installedFile: String?
    private let own: Settings

    /// Queries every service.
    static func take(_ settings: CommandSettings) async -> SettingsSurvey {
        let instances = [.progressHost] + settings.directories.workers + [.apiProxy]
        let answers = await withTaskGroup { group in
            for instance in instances {
                group.addTask {
                    (
                        instance,
                        try? await ServiceSocket(instance, in: settings.directories).call(ReadSettings.self, Nothing())
                    )
                }
            }
            var answers: [ServiceInstance: ReadSettings.Result] = [:]
            for await (instance, answer) in group { answers[instance] = answer }
            return answers
        }
        return SettingsSurvey(settings, instances: instances, answers: answers)
    }

    init(_ settings: CommandSettings, instances: [ServiceInstance], answers: [ServiceInstance: ReadSettings.Result]) {
        own = settings.own
        let isInstalled = settings.concernsInstallation
        installedFile = isInstalled ? settings.installation.environmentFile : nil
        var installed: [ReadSettings.Setting]?
        switch settings.installed {
        case .success(let found)? where isInstalled:
            (installed, installedFailure) = (found.reported, nil)
        case .failure(let failure)? where isInstalled: (installed, installedFailure) = (nil, failure)
        default: (installed, installedFailure) = (nil, nil)
        }
        let (names, changedAt) = (settings.installation.names, settings.installation.changedAt)
        parts = instances.map { instance in
            guard let answer = answers[instance] else {
                return Part(
                    service: instance, origin: installed == nil ? .environment : .installed,
                    settings: installed ?? settings.own.reported)
            }
            var part = Part(service: instance, origin: .running, settings: answer.settings)
            if let installed {
                let isLater = changedAt.map { $0 > answer.startedAt } ?? false
                part.pending = Self.differences(answer, installed) { name in
                    // A worker's name is set by its unit, not by the file.
                    names.contains(name) || isLater && name != SettingKey.workerName.name
                }
            }
            return part
        }
    }

    /// Installed values that differ from those of the running service. A drop-in of the unit may have set a variable that is not in the file. Such a
    /// variable counts only if the file was changed after the service started, or if its installed value is a key.
    private static func differences(
        _ running: ReadSettings.Result, _ installed: [ReadSettings.Setting], counts: (String) -> Bool
    ) -> [String: String] {
        let values = Dictionary(installed.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let readers = Dictionary(
            Settings.declared.map { ($0.name, $0.readers) }, uniquingKeysWith: { first, _ in first })
        var differences: [String: String] = [:]
        for setting in running.settings {
            guard let file = values[setting.name], file.value != setting.value,
                counts(setting.name) || file.value == ReadSettings.Setting.secretIsSet,
                readers[setting.name]?.contains(running.service) == true, setting.isReplaceable,
                // The key may be in an encrypted drop-in.
                file.value != ReadSettings.Setting.secretIsNotSet
            else { continue }
            differences[setting.name] = file.value
        }
        return differences
    }

    /// A row per setting, or several if services differ, in the order of the declarations.
    var rows: [Row] {
        let own = Dictionary(self.own.reported.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return Settings.declared.flatMap { declared -> [Row] in
            guard !declared.readers.isEmpty else {
                return own[declared.name].map {
                    [Row(setting: $0, declared: declared, origin: .environment, services: [], pending: nil)]
                } ?? []
            }
            var rows: [Row] = []
            for part in parts where declared.readers.contains(part.service.service) {
                guard let setting = part.settings.first(where: { $0.name == declared.name }) else { continue }
                let pending = part.pending[declared.name]
                if let same = rows.firstIndex(where: {
                    $0.setting == setting && $0.origin == part.origin && $0.pending == pending
                }) {
                    rows[same].services.append(part.service.name)
                } else {
                    rows.append(
                        Row(
                            setting: setting, declared: declared, origin: part.origin, services: [part.service.name],
                            pending: pending))
                }
            }
            return rows
        }
    }

    /// The settings of the suite as a whole: each setting is taken from the first service that uses it.
    var settings: Settings {
        var seen: Set<String> = []
        return Settings(reported: rows.filter { seen.insert($0.setting.name).inserted }.map(\.setting))
    }

    /// The sources of the settings, in words.
    var origins: [String] {
        func names(_ origin: Origin) -> String {
            parts.filter { $0.origin == origin }.map(\.service.name).joined(separator: ", ")
        }
        return [
            (names(.running), "running: "),
            (names(.installed), "not running, settings from \(installedFile ?? ""): "),
            (names(.environment), "not running, settings from this command's environment: "),
        ].filter { !$0.0.isEmpty }.map { $0.1 + $0.0 }
    }
}

extension ReadSettings.Setting {
    /// Whether an environment file could override the value.
    fileprivate var isReplaceable: Bool { source != "command line" && source != Self.serviceManager }
}
