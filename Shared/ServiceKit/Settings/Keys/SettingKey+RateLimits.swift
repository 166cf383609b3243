// Settings of the limits of one client address (spec/02 "Rate limits"), read by api-proxy.

extension SettingKey where Value == Bool {
    package static var rateLimit: Self {
        SettingKey("BOOKSTRACK_RATE_LIMIT", .toggle, default: true, "Whether clients are limited; off for load tests")
    }
}

extension SettingKey where Value == Int {
    package static var rateLimitPerHour: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_PER_HOUR", .integer(1...1_000_000_000, unit: "requests/h"), default: 1_000,
            "Most requests of one client address")
    }

    package static var rateLimitPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_PER_MINUTE", .integer(1...1_000_000_000, unit: "requests/min"), default: 50,
            "Most requests of one client address that have no limit of their own")
    }

    package static var rateLimitSearchesPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_SEARCHES_PER_MINUTE", .integer(1...1_000_000_000, unit: "requests/min"),
            default: 100, "Most searches of one client address")
    }

    package static var rateLimitStartsPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_STARTS_PER_MINUTE", .integer(1...1_000_000_000, unit: "requests/min"),
            default: 10, "Most batches that one client address starts")
    }

    package static var rateLimitJobReadsPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_JOB_READS_PER_MINUTE", .integer(1...1_000_000_000, unit: "requests/min"),
            default: 240, "Most readings of job states and results of one client address")
    }
}

extension SettingCatalogue {
    static let rateLimits: [SettingDeclaration] = [
        SettingKey.rateLimit.declaration, SettingKey.rateLimitPerHour.declaration,
        SettingKey.rateLimitPerMinute.declaration, SettingKey.rateLimitSearchesPerMinute.declaration,
        SettingKey.rateLimitStartsPerMinute.declaration, SettingKey.rateLimitJobReadsPerMinute.declaration,
    ]
}
