extension Settings {
    /// Every setting with the value that holds and where it came from, secrets masked.
    package var effective: [EffectiveSetting] {
        SettingCatalogue.all.map { setting in
            let finding = found[setting.name]
            let value = finding.flatMap { try? setting.check($0.text) }
            return EffectiveSetting(
                name: setting.name, option: "--" + setting.option,
                value: value ?? computedFallback(of: setting.name) ?? setting.fallback,
                source: finding?.source ?? .fallback, unit: setting.unit, fallback: setting.fallback,
                meaning: setting.meaning, isSecret: setting.isSecret,
                readers: SettingCatalogue.readers(of: setting.name))
        }
    }

    /// What a default comes to that depends on other settings or on the machine.
    private func computedFallback(of name: String) -> String? {
        let directories = try? SuiteDirectories(self)
        return switch name {
        case SettingKey.runtimeDirectory.name: directories?.runtime
        case SettingKey.dataDirectory.name: directories?.storage
        case SettingKey.maxConnections.name: String(mostConnections)
        case SettingKey.maxConnectionsPerAddress.name: String(mostConnectionsPerAddress)
        case SettingKey.openLibraryRate.name: SettingKind.ratePerSecond.show(openLibraryRequestsPerSecond)
        case SettingKey.wikidataRate.name: SettingKind.ratePerSecond.show(wikidataRequestsPerSecond)
        case SettingKey.contact.name: providerContact
        default: nil
        }
    }
}
