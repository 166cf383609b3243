import Foundation
package import SuiteMethods

/// The directories of sockets and data (configuration.md).
package struct SuiteDirectories: Sendable, Equatable {
    /// Maximum length of a Unix socket's path on Linux: `sun_path` has 108 bytes including the terminating zero (unix(7)).
    private static let maxSocketPathLength = 107

    package static let systemRuntime = "/run/bookstrack"
    private static let systemStorage = "/var/lib/bookstrack"
    private static let localRuntime = ".bookstrack/run"
    private static let localStorage = ".bookstrack/data"

    /// Absolute path of the directory of the sockets.
    package let runtime: String
    /// Absolute path of the directory of databases, covers and uploaded files.
    package let storage: String

    /// Determines the directories without creating them: those in the settings, else the system's if they exist and are writable, else those below
    /// the working directory.
    package init(_ settings: Settings) throws(SettingsError) {
        let runtime = Self.path(
            settings[.runtimeDirectory]
                ?? (Self.isWritable(Self.systemRuntime) ? Self.systemRuntime : Self.localRuntime))
        let storage = Self.path(
            settings[.dataDirectory] ?? (Self.isWritable(Self.systemStorage) ? Self.systemStorage : Self.localStorage))
        try self.init(runtime: runtime, storage: storage, settings)
    }

    /// The directories of the services that run on this machine: those in the settings, else those below the working directory if they exist and the
    /// system's are not writable, else the system's.
    package init(looking settings: Settings) throws(SettingsError) {
        func path(_ asked: String?, system: String, local: String) -> String {
            let usesLocal = !Self.isWritable(system) && FileManager.default.fileExists(atPath: local)
            return Self.path(asked ?? (usesLocal ? local : system))
        }
        try self.init(
            runtime: path(settings[.runtimeDirectory], system: Self.systemRuntime, local: Self.localRuntime),
            storage: path(settings[.dataDirectory], system: Self.systemStorage, local: Self.localStorage), settings)
    }

    private init(runtime: String, storage: String, _ settings: Settings) throws(SettingsError) {
        (self.runtime, self.storage) = (runtime, storage)
        let instances = ServiceInstance.standard + [.worker(settings[.workerName])]
        let longest = instances.map { "\(runtime)/\($0.socketName)".utf8.count }.max() ?? 0
        let excess = longest - Self.maxSocketPathLength
        if excess > 0 {
            throw .unusableDirectory(path: runtime, reason: "it is \(excess) bytes too long for a socket path")
        }
    }

    /// These directories, except that the system's default directories are replaced by those of `other`.
    package func replacingSystemDirectories(with other: SuiteDirectories) -> SuiteDirectories {
        SuiteDirectories(
            runtime: runtime == Self.systemRuntime ? other.runtime : runtime,
            storage: storage == Self.systemStorage ? other.storage : storage)
    }

    private init(runtime: String, storage: String) { (self.runtime, self.storage) = (runtime, storage) }

    /// Creates missing directories (mode 0750) and checks that the service can write to the runtime directory and to the data
    /// directory or, for api-proxy, only to ``uploads`` in the data directory (systemd.md, containers.md).
    package func prepare(for service: ServiceName) throws(SettingsError) {
        try make(runtime)
        if service == .apiProxy {
            if !FileManager.default.fileExists(atPath: storage) { try make(storage) }
            try make(uploads)
        } else {
            try make(storage)
        }
    }

    private func make(_ path: String) throws(SettingsError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
        } catch {
            throw .unusableDirectory(path: path, reason: "it cannot be created: \(error.localizedDescription)")
        }
        guard Self.isWritable(path) else { throw .unusableDirectory(path: path, reason: "it is not writable") }
    }

    /// Path of the socket that a process listens on.
    package func socket(of instance: ServiceInstance) -> String { "\(runtime)/\(instance.socketName)" }

    /// Path of the shelf reader's socket, unless the settings name another one.
    package var shelfReaderSocket: String { "\(runtime)/shelf-reader.sock" }

    /// The main worker, and other workers with a socket in the runtime directory.
    package var workers: [ServiceInstance] { Self.workers(in: runtime) }

    /// The main worker, and other workers with a socket in the given runtime directory, sorted by name.
    package static func workers(in runtime: String) -> [ServiceInstance] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: runtime)) ?? []
        let names = files.compactMap { ServiceInstance(socketName: $0)?.worker }
        return Set(names + [.main]).sorted().map(ServiceInstance.worker)
    }

    /// Path of a file in the data directory.
    package func file(_ name: String) -> String { "\(storage)/\(name)" }

    /// The directory of covers: written by enrichment-worker, read by api-proxy.
    package var covers: String { file("covers") }

    /// The directory of uploaded files: written by api-proxy, read by enrichment-worker, emptied by progress-host.
    package var uploads: String { file("uploads") }

    private static func path(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.path(percentEncoded: false).droppingTrailingSlash
    }

    private static func isWritable(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
            && access(path, W_OK | X_OK) == 0
    }
}

extension String {
    fileprivate var droppingTrailingSlash: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }
}

package enum FileSize {
    /// Size of the file at `path` in bytes; nil if stat(2) fails, for example because there is no such file.
    package static func bytes(at path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
