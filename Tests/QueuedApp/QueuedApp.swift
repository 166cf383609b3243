import BookstrackClient
import BookstrackContract
import Foundation

/// An app that keeps its queue of books on disk, for a test that kills it at random moments. It looks up every ISBN in `wanted.txt` and appends the
/// ISBN of each row that it receives to `library.txt`.
///
///     QueuedApp URL FOLDER
///
/// It exits with status 0 once the library has every wanted book and the queue has no job.
@main
@MainActor
struct QueuedApp {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[1]) else {
            print("usage: QueuedApp URL FOLDER")
            exit(2)
        }
        let folder = URL(filePath: arguments[2])
        let library = Library(folder: folder)
        let client = BookstrackClient(
            baseURL: url, tokens: FileTokenStore(url: folder.appending(path: "tokens.json")))
        let queue = try EnrichmentQueue(
            client: client, storage: FileQueueStorage(url: folder.appending(path: "queue.json"))
        ) { try library.add($0.rows) }
        queue.start()
        // `enqueue` skips the books that an earlier run has queued.
        try queue.enqueue(isbns: try library.missing())
        while try !library.missing().isEmpty || queue.currentJobId != nil {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// The app's books: a file with the wanted ISBNs, and a file with those that have arrived.
private struct Library {
    let folder: URL

    /// Wanted books that have not arrived.
    func missing() throws -> [String] {
        let arrived = Set(try lines("library.txt"))
        return try lines("wanted.txt").filter { !arrived.contains($0) }
    }

    /// Appends the ISBNs of rows in one write, and syncs them to disk.
    func add(_ rows: [EnrichedBook]) throws {
        let path = folder.appending(path: "library.txt").path
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(rows.compactMap(\.isbn).map { $0 + "\n" }.joined().utf8))
        try file.synchronize()
        try file.close()
    }

    private func lines(_ name: String) throws -> [String] {
        guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }
}
