// Settings of webhooks: api-proxy checks addresses with the same list as enrichment-worker, which calls them.

extension SettingKey where Value == [String] {
    package static var webhookHosts: Self {
        SettingKey(
            "BOOKSTRACK_WEBHOOK_HOSTS", .webhookHosts, default: [],
            "Hosts that webhooks may call, as host or host:port; a host on a private network needs its port")
    }
}

extension SettingKey where Value == Secret? {
    package static var webhookSecret: Self {
        SettingKey(
            "BOOKSTRACK_WEBHOOK_SECRET", .secret, default: nil,
            "Key that signs webhooks; required with BOOKSTRACK_WEBHOOK_HOSTS")
    }
}

extension SettingCatalog {
    static let webhooks: [SettingDeclaration] = [
        SettingKey.webhookHosts.declaration, SettingKey.webhookSecret.declaration,
    ]
}
