// Settings of the command line `bookstrack`.

extension SettingKey where Value == String {
    package static var url: Self {
        SettingKey(
            "BOOKSTRACK_URL", .baseURL, default: "http://127.0.0.1:8787", "The API that the command line talks to")
    }
}

extension SettingCatalogue {
    static let commandLine: [SettingDeclaration] = [SettingKey.url.declaration]
}
