import Foundation
import ServiceKit
import SuiteMethods
import Testing

@Suite("Directories of the suite")
struct SuiteDirectoriesTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func directories(runtime: String, storage: String) throws -> SuiteDirectories {
        try SuiteDirectories(
            Settings.load(
                arguments: [], environment: ["BOOKSTRACK_RUNTIME_DIR": runtime, "BOOKSTRACK_DATA_DIR": storage]))
    }

    @Test("missing directories are made with mode 0750")
    func made() throws {
        let directories = try directories(runtime: scratch.path + "/a/run", storage: scratch.path + "/a/data/")
        try directories.prepare()
        try directories.prepare()
        for path in [directories.runtime, directories.storage] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o750)
        }
        #expect(directories.socket(of: .apiProxy) == scratch.path + "/a/run/api-proxy.sock")
        #expect(directories.file("jobs.sqlite") == scratch.path + "/a/data/jobs.sqlite")
    }

    @Test("without settings they are the system's, or below the working directory")
    func fallbacks() throws {
        let directories = try SuiteDirectories(Settings.load(arguments: [], environment: [:]))
        #expect(directories.runtime == "/run/bookstrack" || directories.runtime.hasSuffix("/.bookstrack/run"))
        #expect(directories.storage == "/var/lib/bookstrack" || directories.storage.hasSuffix("/.bookstrack/data"))
        #expect(directories.storage.hasPrefix("/"))
    }

    @Test("a file in the way, or a path too long for a socket, is refused")
    func refused() throws {
        let file = try scratch.file("taken", "")
        let blocked = try directories(runtime: scratch.path, storage: file)
        #expect(throws: SettingsError.self) { try blocked.prepare() }
        #expect(throws: SettingsError.self) {
            try directories(runtime: "/" + String(repeating: "r", count: 90), storage: scratch.path)
        }
    }
}
