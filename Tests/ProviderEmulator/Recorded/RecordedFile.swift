import Foundation

/// A file with recorded answers or dump lines.
struct RecordedFile: Sendable {
    let url: URL

    /// The JSON texts of a file.
    struct Contents {
        var values: [JSONValue] = []
        /// Texts that are not JSON.
        var broken = 0
    }

    /// Files of a folder and its subfolders that can be read, in the order of their paths.
    static func all(in folder: URL) throws -> [RecordedFile] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { path in ["json", "jsonl", "txt"].contains { path.hasSuffix(".\($0)") } }
            .sorted()
            .map { RecordedFile(url: folder.appending(path: $0)) }
    }

    /// One text for a `.json` file, the body for a `.http.txt` file, else one text per line, of which a dump line's is the
    /// last of its tab-separated columns.
    func contents() throws -> Contents {
        let bytes = [UInt8](try Data(contentsOf: url))
        var contents = Contents()
        for text in texts(bytes) {
            do {
                contents.values.append(try JSONParser.parse(text))
            } catch {
                contents.broken += 1
            }
        }
        return contents
    }

    private func texts(_ bytes: [UInt8]) -> [[UInt8]] {
        let newline = UInt8(ascii: "\n")
        if url.lastPathComponent.hasSuffix(".json") { return [bytes] }
        let lines = bytes.split(separator: newline, omittingEmptySubsequences: false)
        if url.lastPathComponent.hasSuffix(".http.txt") {
            let start = lines.firstIndex { $0.first == UInt8(ascii: "{") || $0.first == UInt8(ascii: "[") }
            return [Array(lines[(start ?? lines.endIndex)...].joined(separator: [newline]))]
        }
        return lines.filter { !$0.isEmpty }.map { line in
            Array(line.split(separator: UInt8(ascii: "\t")).last ?? line)
        }
    }
}
