import Foundation
import NIOCore
import NIOHTTP1
package import WireClient

/// The provider emulator as a process, with its admin API.
package struct EmulatorProcess: Sendable {
    package let process: ServiceProcess
    package let http: HTTPClient
    package let address: ServerAddress

    package var openLibraryURL: String { "\(address)/openlibrary" }
    package var googleBooksURL: String { "\(address)/googlebooks/books/v1" }
    package var isbndbURL: String { "\(address)/isbndb" }
    package var geminiURL: String { "\(address)/gemini/v1beta" }
    package var wikidataURL: String { "\(address)/wikidata" }
    /// Base URL of all cover hosts; the paths below it are those of the real hosts.
    package var coversURL: String { "\(address)/covers" }

    /// Starts an emulator on a free port; it ends when this process does. Throws if the emulator ends or does not report
    /// its address within a minute.
    static func start(in directory: URL, arguments: [String]) async throws -> EmulatorProcess {
        let process = ServiceProcess(
            .emulator, arguments: ["--port", "0", "--exit-with-parent"] + arguments,
            environment: ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) },
            logPath: directory.appending(path: "emulator.log").path)
        try await process.start()
        let announcement = "listening on http://127.0.0.1:"
        let deadline = ContinuousClock.now + .seconds(60)
        while process.isAlive, ContinuousClock.now < deadline {
            // The last line may be incomplete.
            let lines = process.log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix(announcement) }),
                let port = Int(line.dropFirst(announcement.count))
            {
                let address = ServerAddress(host: "127.0.0.1", port: port)
                return EmulatorProcess(process: process, http: HTTPClient(address: address), address: address)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        await process.end()
        throw ServiceProcess.Failure(description: "the emulator did not report its address: \(process.log)")
    }

    /// Replaces the fault rules with this JSON list.
    package func setFaults(_ json: String) async throws {
        let answer = try await http.send(
            HTTPCall(
                .PUT, "/_emulator/faults", headers: ["Content-Type": "application/json"],
                body: ByteBuffer(string: json)))
        guard (200..<300).contains(answer.status) else {
            throw ServiceProcess.Failure(description: "the faults were rejected: \(answer.text)")
        }
    }

    /// Removes the fault rules.
    package func clearFaults() async throws { _ = try await http.send(HTTPCall(.DELETE, "/_emulator/faults")) }

    /// The request log, one line of JSON per request.
    package func requestLog() async throws -> String { try await http.send(HTTPCall(.GET, "/_emulator/log")).text }

    /// The emulator's statistics, as JSON.
    package func stats() async throws -> String { try await http.send(HTTPCall(.GET, "/_emulator/stats")).text }
}

/// The emulator's synthetic books.
package enum SyntheticBooks {
    /// The ISBNs in an emulator that was started with `--synthetic count`.
    package static func isbns(_ count: Int) async throws -> [String] {
        let lister = ServiceProcess(
            .emulator, arguments: ["isbns", "--synthetic", "\(count)"], environment: [:],
            logPath: "/tmp/bt-isbns-\(UInt32.random(in: .min ... .max)).txt")
        try await lister.start()
        await lister.wait()
        defer { try? FileManager.default.removeItem(atPath: lister.logPath) }
        return Array(lister.log.split(separator: "\n").map(String.init).suffix(count))
    }
}
