import Foundation
import ServiceKit

/// Where the settings of the installed services are stored on a machine with systemd.
struct Installation: Sendable {
    static let standard = Installation(
        environmentFile: "/etc/bookstrack/bookstrack.env", credentials: "/etc/bookstrack/credentials")

    /// The file specified by `EnvironmentFile=` in the units.
    let environmentFile: String
    /// The directory of the key files specified by `LoadCredential=` in enrichment-worker's unit.
    let credentials: String

    /// Whether the installation exists, even if its file is not readable.
    var exists: Bool { access(environmentFile, F_OK) == 0 }

    /// When the environment file was last changed, in milliseconds since 1970; nil if unknown.
    var changedAt: Int64? {
        let date = try? FileManager.default.attributesOfItem(atPath: environmentFile)[.modificationDate] as? Date
        return date.map { Int64($0.timeIntervalSince1970 * 1_000) }
    }

    /// The variables that `Environment=` sets in the units of all three services.
    private static let ofUnits = [
        "BOOKSTRACK_RUNTIME_DIR": "/run/bookstrack", "BOOKSTRACK_DATA_DIR": "/var/lib/bookstrack",
        "BOOKSTRACK_ALLOWED_UIDS": "0",
    ]

    private static let keys = [
        "google-books-api-key", "isbndb-api-key", "gemini-api-key", "vision-api-key", "webhook-secret",
    ]

    /// The variables that a service started now would have: those from the units, the environment file and the key files. Throws
    /// `CommandFailure` if the environment file cannot be read.
    func environment() throws -> [String: String] {
        guard let text else {
            throw CommandFailure(.notPermitted, "cannot read \(environmentFile); run the command as root")
        }
        var variables = Self.ofUnits
        for key in Self.keys {
            let file = "\(credentials)/\(key)"
            guard access(file, R_OK) == 0 else { continue }
            variables["BOOKSTRACK_\(key.uppercased().replacing("-", with: "_"))_FILE"] = file
        }
        return variables.merging(EnvironmentFile.variables(in: text)) { $1 }
    }

    /// Names of the variables in the environment file; empty if it cannot be read.
    var names: Set<String> { Set(EnvironmentFile.variables(in: text ?? "").keys) }

    /// The content of the environment file; nil if it cannot be read. Bytes that are not UTF-8 are replaced, because systemd accepts comments in any
    /// encoding.
    private var text: String? {
        FileManager.default.contents(atPath: environmentFile).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Parses systemd's files of variables (systemd.exec(5), `EnvironmentFile=`), except for quotes around part of a value or around several lines.
enum EnvironmentFile {
    /// The variables of a file; if a variable occurs twice, the last value is used.
    static func variables(in text: String) -> [String: String] {
        var found: [String: String] = [:]
        for line in lines(of: text) {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard let first = line.first, first != "#", first != ";", let sign = line.firstIndex(of: "=") else {
                continue
            }
            let name = line[..<sign].trimmingCharacters(in: .whitespaces)
            found[name] = unquoted(line[line.index(after: sign)...].trimmingCharacters(in: .whitespaces))
        }
        return found
    }

    /// The lines. Each LF and each CR ends a line, unless it follows a backslash. In a string, CR and LF together are one character, so
    /// scalars are compared.
    private static func lines(of text: String) -> [Substring] {
        ["\\\n", "\\\r"].reduce(text.unicodeScalars) { $0.replacing($1.unicodeScalars, with: "".unicodeScalars) }
            .split { $0 == "\n" || $0 == "\r" }.map { Substring($0) }
    }

    /// The value without its quotes. In single quotes, a backslash stands for itself; in double quotes, it escapes only the characters in
    /// ``escapable``; without quotes, it escapes every character.
    private static func unquoted(_ text: String) -> String {
        if text.count >= 2, text.first == "'", text.last == "'" { return String(text.dropFirst().dropLast()) }
        let isQuoted = text.count >= 2 && text.first == "\"" && text.last == "\""
        var result = ""
        var isEscaped = false
        for character in isQuoted ? text.dropFirst().dropLast() : text[...] {
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            if isEscaped, isQuoted, !escapable.contains(character) { result.append("\\") }
            result.append(character)
            isEscaped = false
        }
        return result
    }

    /// The characters that a backslash escapes in double quotes.
    private static let escapable: Set<Character> = ["\"", "\\", "`", "$"]
}

/// The settings for a command that works with the services or the databases on this machine.
struct CommandSettings: Sendable {
    /// Settings of this process.
    let own: Settings
    /// The settings that installed services would have if they were started now; nil if nothing is installed.
    let installed: Result<Settings, CommandFailure>?
    let installation: Installation
    /// Directories of the services' sockets and data.
    let directories: SuiteDirectories

    /// Whether the services in the runtime directory are the installed ones.
    var concernsInstallation: Bool {
        guard installation.exists else { return false }
        guard case .success(let settings)? = installed, let directories = try? SuiteDirectories(settings) else {
            let named = try? installation.environment()["BOOKSTRACK_RUNTIME_DIR"]
            return self.directories.runtime == named ?? SuiteDirectories.systemRuntime
        }
        return directories.runtime == self.directories.runtime
    }

    /// Reads the settings of this process and of the installation. The directories are those that ``SuiteDirectories/init(looking:)`` finds; where
    /// these are the system's, the installed services' directories are used instead.
    static func load(
        environment: [String: String] = ProcessInfo.processInfo.environment, installation: Installation = .standard
    ) throws -> CommandSettings {
        let own = try Settings.load(arguments: [], environment: environment)
        let installed: Result<Settings, CommandFailure>? =
            installation.exists
            ? Result { try Settings.load(arguments: [], environment: installation.environment()) }
                .mapError { CommandFailure($0) } : nil
        var directories = try SuiteDirectories(looking: own)
        if case .success(let settings)? = installed {
            let there = try SuiteDirectories(settings)
            directories = directories.replacingSystemDirectories(with: there)
        }
        return CommandSettings(own: own, installed: installed, installation: installation, directories: directories)
    }
}
