import Foundation
import SuiteFixture

/// A progress-host as the only process.
enum HostAlone {
    /// Starts a host, hands `body` the directory of its socket, and ends it.
    static func run(_ body: (_ runtimeDirectory: String) async throws -> Void) async throws {
        let directory = URL(filePath: "/tmp").appending(path: "bt-\(UInt32.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let host = ServiceProcess(
            .progressHost,
            environment: [
                "BOOKSTRACK_RUNTIME_DIR": directory.path, "BOOKSTRACK_DATA_DIR": directory.path,
                "BOOKSTRACK_LOG_LEVEL": "warning",
            ], logPath: directory.appending(path: "host.log").path)
        try await host.start()
        do {
            try await body(directory.path)
        } catch {
            await host.end()
            throw error
        }
        await host.end()
        try? FileManager.default.removeItem(at: directory)
    }
}
