import Foundation
package import SuiteMethods

/// Where sockets and databases are (spec/06 "Configuration").
package struct SuiteDirectories: Sendable, Equatable {
    /// Longest path of a Unix socket on Linux: `sun_path` holds 108 bytes with the closing zero (unix(7)).
    private static let longestSocketPath = 107

    /// Absolute path of the directory of the sockets.
    package let runtime: String
    /// Absolute path of the directory of databases and uploads.
    package let storage: String

    /// Works out the directories without touching them: as set, else the system's if it is there and writable, else below
    /// the working directory.
    package init(_ settings: Settings) throws(SettingsError) {
        runtime = Self.path(
            settings[.runtimeDirectory], system: "/run/bookstrack", local: ".bookstrack/run")
        storage = Self.path(
            settings[.dataDirectory], system: "/var/lib/bookstrack", local: ".bookstrack/data")
        let instances = ServiceInstance.standard + [.worker(settings[.workerName])]
        let longest = instances.map { "\(runtime)/\($0.socketName)".utf8.count }.max() ?? 0
        let excess = longest - Self.longestSocketPath
        if excess > 0 {
            throw .unusableDirectory(path: runtime, reason: "it is \(excess) bytes too long for the path of a socket")
        }
    }

    /// Makes the directories (mode 0750) where they are missing and sees that they can be written.
    package func prepare() throws(SettingsError) {
        for path in [runtime, storage] {
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
            } catch {
                throw .unusableDirectory(path: path, reason: "it cannot be made: \(error.localizedDescription)")
            }
            guard Self.isWritable(path) else { throw .unusableDirectory(path: path, reason: "it is not writable") }
        }
    }

    /// Path of the socket that a process listens on.
    package func socket(of instance: ServiceInstance) -> String { "\(runtime)/\(instance.socketName)" }

    /// The main worker, and those others that have left a socket in the runtime directory.
    package var workers: [ServiceInstance] { Self.workers(in: runtime) }

    /// The same for a runtime directory, in the order of their names.
    package static func workers(in runtime: String) -> [ServiceInstance] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: runtime)) ?? []
        let names = files.compactMap { ServiceInstance(socketName: $0)?.worker }
        return Set(names + [.main]).sorted().map(ServiceInstance.worker)
    }

    /// Path of a file in the data directory.
    package func file(_ name: String) -> String { "\(storage)/\(name)" }

    /// Where covers are kept: written by enrichment-worker, read by api-proxy.
    package var covers: String { file("covers") }

    private static func path(_ asked: String?, system: String, local: String) -> String {
        let path = asked ?? (isWritable(system) ? system : local)
        return URL(filePath: path).standardizedFileURL.path(percentEncoded: false).droppingTrailingSlash
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
