// Settings for jobs and the WebSocket protocol, read by progress-host.

extension SettingKey where Value == Duration {
    package static var readyTimeout: Self {
        SettingKey(
            "BOOKSTRACK_READY_TIMEOUT_MS", .milliseconds(1...600_000), default: .milliseconds(5_000),
            "Timeout for a client's ready message")
    }

    package static var pingInterval: Self {
        SettingKey(
            "BOOKSTRACK_PING_INTERVAL_MS", .milliseconds(10...3_600_000), default: .milliseconds(30_000),
            "Idle time before a client is pinged; after three times as long, it is disconnected")
    }

    package static var progressInterval: Self {
        SettingKey(
            "BOOKSTRACK_PROGRESS_INTERVAL_MS", .milliseconds(0...60_000), default: .milliseconds(500),
            "Minimum time between two ordinary progress frames of a job")
    }

    package static var keepAlive: Self {
        SettingKey(
            "BOOKSTRACK_KEEPALIVE_MS", .milliseconds(10...3_600_000), default: .milliseconds(7_000),
            "Idle time of an open job before a keep-alive frame is sent")
    }

    package static var tokenTTL: Self {
        SettingKey(
            "BOOKSTRACK_TOKEN_TTL_SECONDS", .seconds(1...31_536_000), default: .seconds(7_200),
            "Job token lifetime (TTL)")
    }

    package static var tokenRefreshWindow: Self {
        SettingKey(
            "BOOKSTRACK_TOKEN_REFRESH_WINDOW_SECONDS", .seconds(1...31_536_000), default: .seconds(1_800),
            "Final part of a token's lifetime, during which it can be refreshed")
    }

    package static var resultsTTL: Self {
        SettingKey(
            "BOOKSTRACK_RESULTS_TTL_SECONDS", .seconds(1...31_536_000), default: .seconds(86_400),
            "How long results are kept after a job ends (TTL); longer while background retries are planned")
    }
}

extension SettingCatalog {
    static let jobs: [SettingDeclaration] = [
        SettingKey.readyTimeout.declaration, SettingKey.pingInterval.declaration,
        SettingKey.progressInterval.declaration, SettingKey.keepAlive.declaration, SettingKey.tokenTTL.declaration,
        SettingKey.tokenRefreshWindow.declaration, SettingKey.resultsTTL.declaration,
    ]
}
