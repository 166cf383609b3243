// Settings of the command line `bookstrack`.

extension SettingKey where Value == String {
    package static var url: Self {
        SettingKey(
            "BOOKSTRACK_URL", .baseURL, default: "http://127.0.0.1:8787", "API address used by the command line")
    }
}

extension SettingCatalogue {
    static let commandLine: [SettingDeclaration] = [SettingKey.url.declaration]
}
