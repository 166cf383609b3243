import Foundation
import ServiceKit
import SuiteMethods
import Testing

@Suite("BooksTrack's directories and sockets")
struct SuiteDirectoriesTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func directories(runtime: String, storage: String) throws -> SuiteDirectories {
        try SuiteDirectories(
            Settings.load(
                arguments: [], environment: ["BOOKSTRACK_RUNTIME_DIR": runtime, "BOOKSTRACK_DATA_DIR": storage]))
    }

    @Test("missing directories are created with mode 0750")
    func made() throws {
        let directories = try directories(runtime: scratch.path + "/a/run", storage: scratch.path + "/a/data/")
        try directories.prepare(for: .progressHost)
        try directories.prepare(for: .progressHost)
        for path in [directories.runtime, directories.storage] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o750)
        }
        #expect(directories.socket(of: .apiProxy) == scratch.path + "/a/run/api-proxy.sock")
        #expect(directories.file("jobs.sqlite") == scratch.path + "/a/data/jobs.sqlite")
    }

    @Test("api-proxy's upload directory is created, and an error is thrown if it cannot be created")
    func uploads() throws {
        let directories = try directories(runtime: scratch.path + "/run", storage: scratch.path + "/data")
        try directories.prepare(for: .apiProxy)
        #expect(directories.uploads == scratch.path + "/data/uploads")
        #expect(FileManager.default.fileExists(atPath: directories.uploads))
        let file = try scratch.file("taken", "")
        let blocked = try self.directories(runtime: scratch.path, storage: file)
        #expect(throws: SettingsError.self) { try blocked.prepare(for: .apiProxy) }
    }

    @Test(
        "a worker's name, of up to 16 characters, is part of its socket's name unless it is main",
        arguments: [
            ("main", "enrichment-worker.sock"), ("b", "enrichment-worker-b.sock"),
            ("rack-2", "enrichment-worker-rack-2.sock"),
            ("0123456789abcdef", "enrichment-worker-0123456789abcdef.sock"),
        ])
    func workerNames(name: String, socket: String) throws {
        let settings = try Settings.load(arguments: [], environment: ["BOOKSTRACK_WORKER_NAME": name])
        let instance = ServiceInstance.worker(settings[.workerName])
        #expect(instance.socketName == socket)
        #expect(ServiceInstance(socketName: socket) == instance)
        #expect(ServiceInstance(name: instance.name) == instance)
    }

    @Test(
        "an invalid worker name is rejected", arguments: ["B", "a_b", "-a", "a-", "a/b", "0123456789abcdefg", "ä"])
    func refusedNames(name: String) {
        #expect(throws: SettingsError.self) {
            try Settings.load(arguments: [], environment: ["BOOKSTRACK_WORKER_NAME": name])
        }
        #expect(ServiceInstance(socketName: "enrichment-worker-\(name).sock") == nil)
    }

    @Test("workers are found by their sockets, and the main worker is always included")
    func workers() throws {
        let directories = try directories(runtime: scratch.path, storage: scratch.path)
        #expect(directories.workers == [.enrichmentWorker])
        for name in ["enrichment-worker-b.sock", "enrichment-worker-a.sock", "enrichment-worker-.sock", "x-b.sock"] {
            _ = try scratch.file(name, "")
        }
        #expect(directories.workers.map(\.name) == ["enrichment-worker", "enrichment-worker-a", "enrichment-worker-b"])
    }

    @Test("the default directories are the system's or are below the working directory")
    func fallbacks() throws {
        let directories = try SuiteDirectories(Settings.load(arguments: [], environment: [:]))
        #expect(directories.runtime == "/run/bookstrack" || directories.runtime.hasSuffix("/.bookstrack/run"))
        #expect(directories.storage == "/var/lib/bookstrack" || directories.storage.hasSuffix("/.bookstrack/data"))
        #expect(directories.storage.hasPrefix("/"))
    }

    @Test("a file in place of a directory, or a path too long for a socket, is rejected")
    func refused() throws {
        let file = try scratch.file("taken", "")
        let blocked = try directories(runtime: scratch.path, storage: file)
        #expect(throws: SettingsError.self) { try blocked.prepare(for: .progressHost) }
        #expect(throws: SettingsError.self) {
            try directories(runtime: "/" + String(repeating: "r", count: 90), storage: scratch.path)
        }
    }
}

/// A directory that is deleted along with its owner.
final class ScratchDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/bookstrack-kit-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        return "\(path)/\(name)"
    }
}
