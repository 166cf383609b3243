import Foundation
import ServiceKit

/// The settings as a verb that talks to the services of this machine needs them.
struct CommandSettings: Sendable {
    /// Of this process.
    let own: Settings
    /// As the installed services would be started with them now; nil where nothing is installed, or the file cannot be read.
    let installed: Result<Settings, CommandFailure>?
    let installation: Installation
    /// Where the services' sockets and data are.
    let directories: SuiteDirectories

    /// Whether the services in the runtime directory are those that `deploy/install` has installed.
    var concernsInstallation: Bool {
        guard installation.exists else { return false }
        guard case .success(let settings)? = installed, let directories = try? SuiteDirectories(settings) else {
            let named = try? installation.environment()["BOOKSTRACK_RUNTIME_DIR"]
            return self.directories.runtime == named ?? SuiteDirectories.systemRuntime
        }
        return directories.runtime == self.directories.runtime
    }

    /// Reads both. A directory that this process' settings do not name is the installed services', else the system's, else below the working
    /// directory if it is there.
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
