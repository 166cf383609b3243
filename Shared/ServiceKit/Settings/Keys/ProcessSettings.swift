package import Logging
package import SuiteMethods

// Settings of every process, and the name of a worker.

extension SettingKey where Value == String? {
    package static var configFile: Self {
        SettingKey(
            "BOOKSTRACK_CONFIG_FILE", .optionalText, default: nil, note: "\(SettingsFile.defaultPath) if it exists",
            "JSON file of settings; the keys are the options without leading dashes")
    }

    package static var runtimeDirectory: Self {
        SettingKey(
            "BOOKSTRACK_RUNTIME_DIR", .optionalText, default: nil,
            note: "/run/bookstrack if writable, else ./.bookstrack/run", "Directory for the sockets")
    }

    package static var dataDirectory: Self {
        SettingKey(
            "BOOKSTRACK_DATA_DIR", .optionalText, default: nil,
            note: "/var/lib/bookstrack if writable, else ./.bookstrack/data",
            "Directory for the databases, covers and uploaded files")
    }
}

extension SettingKey where Value == Logger.Level {
    package static var logLevel: SettingKey<Logger.Level> {
        SettingKey("BOOKSTRACK_LOG_LEVEL", .choice, default: .info, "Minimum log level")
    }
}

extension SettingKey where Value == LogFormat {
    package static var logFormat: Self {
        SettingKey(
            "BOOKSTRACK_LOG_FORMAT", .choice, default: .auto,
            "pretty, json, journal, or auto: pretty on a terminal, journal if connected to the systemd journal, else json"
        )
    }
}

extension SettingKey where Value == [UInt32] {
    package static var allowedUserIDs: Self {
        SettingKey(
            "BOOKSTRACK_ALLOWED_UIDS", .userIDs, default: [],
            "IDs of other users who may connect to the services' sockets or run the shelf reader")
    }
}

extension SettingKey where Value == WorkerName {
    package static var workerName: SettingKey<WorkerName> {
        SettingKey(
            "BOOKSTRACK_WORKER_NAME", .workerName, default: .main,
            "Name of this enrichment-worker, if several run on one machine")
    }
}

extension SettingCatalog {
    static let process: [SettingDeclaration] = [
        SettingKey.configFile.declaration, SettingKey.runtimeDirectory.declaration,
        SettingKey.dataDirectory.declaration, SettingKey.logLevel.declaration, SettingKey.logFormat.declaration,
        SettingKey.allowedUserIDs.declaration, SettingKey.workerName.declaration,
    ]
}

// Settings of the command line `bookstrack`.

extension SettingKey where Value == String {
    package static var url: Self {
        SettingKey(
            "BOOKSTRACK_URL", .baseURL, default: "http://127.0.0.1:8787", "API address used by the command line")
    }
}

extension SettingCatalog {
    static let commandLine: [SettingDeclaration] = [SettingKey.url.declaration]
}
