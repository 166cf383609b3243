import Foundation

/// The emulator's made-up books.
package enum SyntheticBooks {
    /// ISBNs that an emulator started with `--synthetic count` knows.
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
