package import JSONRPC
import Observability
package import SuiteMethods

extension Settings {
    /// Every setting without a value of its own, in the order of the declarations.
    package static var declared: [EffectiveSetting] { Settings(found: [:], warnings: []).effective }

    /// Every setting as it crosses to another process, without secrets.
    package var reported: [ReadSettings.Setting] {
        effective.map { setting in
            ReadSettings.Setting(
                name: setting.name, value: setting.isSecret ? setting.secretState : setting.value,
                source: "\(setting.source)", isDefault: setting.source == .fallback)
        }
    }

    /// The settings that another process has reported. A secret that is set there holds no secret here, and settings that this program does
    /// not know are left out.
    package init(reported: [ReadSettings.Setting]) {
        let known = Dictionary(
            SettingCatalogue.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let found = reported.compactMap { setting -> (String, SettingLayers.Finding)? in
            guard !setting.isDefault, let declaration = known[setting.name],
                (try? declaration.check(setting.value)) != nil
            else { return nil }
            return (setting.name, SettingLayers.Finding(text: setting.value, source: .reported(setting.source)))
        }
        self.init(found: Dictionary(found, uniquingKeysWith: { first, _ in first }), warnings: [])
    }
}

extension EffectiveSetting {
    /// Whether a secret is set, in words.
    package var secretState: String {
        value.isEmpty ? ReadSettings.Setting.secretIsNotSet : ReadSettings.Setting.secretIsSet
    }
}

extension RPCRouter {
    /// Answers `ReadSettings`.
    package mutating func answerSettings(of service: ServiceName, _ settings: [ReadSettings.Setting]) {
        let startedAt = Activity.now
        handle(ReadSettings.self) { _, _ in
            ReadSettings.Result(service: service, startedAt: startedAt, settings: settings)
        }
    }
}
