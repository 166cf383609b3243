// Settings of the limits of one client address (http-api.md "Rate limits"), read by api-proxy.

extension SettingKey where Value == Bool {
    package static var rateLimit: Self {
        SettingKey("BOOKSTRACK_RATE_LIMIT", .toggle, default: true, "Limit the requests of clients; off for load tests")
    }
}

extension SettingKey where Value == Int {
    package static var rateLimitPerHour: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_PER_HOUR", .integer(1...1_000_000_000, unit: "requests/h"), default: 1_000,
            "Maximum requests per client address")
    }

    package static var rateLimitPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_PER_MINUTE", .integer(1...1_000_000_000, unit: "requests/min"), default: 50,
            "Maximum requests per client address (other routes)")
    }

    package static var rateLimitSearchesPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_SEARCHES_PER_MINUTE", .integer(1...1_000_000_000, unit: "requests/min"),
            default: 100, "Maximum searches per client address")
    }

    package static var rateLimitStartsPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_STARTS_PER_MINUTE", .integer(1...1_000_000_000, unit: "requests/min"),
            default: 10, "Maximum batches started per client address")
    }

    package static var rateLimitJobReadsPerMinute: Self {
        SettingKey(
            "BOOKSTRACK_RATE_LIMIT_JOB_READS_PER_MINUTE", .integer(1...1_000_000_000, unit: "requests/min"),
            default: 240, "Maximum reads of job states and results per client address")
    }
}

extension SettingCatalogue {
    static let rateLimits: [SettingDeclaration] = [
        SettingKey.rateLimit.declaration, SettingKey.rateLimitPerHour.declaration,
        SettingKey.rateLimitPerMinute.declaration, SettingKey.rateLimitSearchesPerMinute.declaration,
        SettingKey.rateLimitStartsPerMinute.declaration, SettingKey.rateLimitJobReadsPerMinute.declaration,
    ]
}
