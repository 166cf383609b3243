import Foundation

/// The executables that are tested, found beside the one that runs (`BOOKSTRACK_BIN_DIR` overrides).
package enum BuiltProduct: String, Sendable, CaseIterable {
    case apiProxy = "api-proxy"
    case progressHost = "progress-host"
    case enrichmentWorker = "enrichment-worker"
    case emulator = "provider-emulator"
    case commandLine = "bookstrack"
    case benchmarks = "bookstrack-bench"

    /// Absolute path of the executable.
    package var path: String {
        let directory =
            ProcessInfo.processInfo.environment["BOOKSTRACK_BIN_DIR"].map { URL(filePath: $0) } ?? Self.ownDirectory
        return directory.appending(path: rawValue).path
    }

    private static var ownDirectory: URL {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(filePath: own).deletingLastPathComponent()
    }
}
