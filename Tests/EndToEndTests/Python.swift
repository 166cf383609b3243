import Foundation
import SuiteFixture

/// The machine's Python, for clients that share no code with BooksTrack.
enum Python {
    /// Whether `module` can be imported; always true in CI, where it must be installed.
    static func has(_ module: String) -> Bool {
        ProcessInfo.processInfo.environment["CI"] != nil || canImport(module)
    }

    static func canImport(_ module: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import \(module)"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// A line printed by a script in `Clients`.
    struct Check: Decodable {
        var check: String
        var ok: Bool
        var saw: String
    }

    /// Runs a script in `Clients` with arguments, and returns its checks.
    static func checks(_ script: String, _ arguments: [String]) async throws -> [Check] {
        let file = URL(filePath: #filePath).appending(path: "../Clients/\(script)").standardizedFileURL.path
        let printed = String(decoding: try await run([file] + arguments), as: UTF8.self)
        return try printed.split(separator: "\n").map { try JSONDecoder().decode(Check.self, from: Data($0.utf8)) }
    }

    /// Runs Python with arguments, and returns its output.
    static func run(_ arguments: [String]) async throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardOutput = output
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                let printed = output.fileHandleForReading.readDataToEndOfFile()
                if process.terminationStatus == 0 {
                    continuation.resume(returning: printed)
                } else {
                    let end = String(decoding: printed.suffix(3_000), as: UTF8.self)
                    continuation.resume(
                        throwing: ServiceProcess.Failure(
                            description: "python3 ended with \(process.terminationStatus): \(end)"))
                }
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }
}
