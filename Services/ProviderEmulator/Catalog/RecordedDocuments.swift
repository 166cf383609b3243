import Foundation

/// The documents found in recorded responses, by kind, in the order in which they were found.
struct RecordedDocuments: Sendable {
    /// The value of one book in a response to `jscmd=data`, with its key.
    struct BookData: Sendable {
        let bibKey: String
        let value: JSONValue
    }

    private(set) var editions: [JSONValue] = []
    private(set) var works: [JSONValue] = []
    private(set) var authors: [JSONValue] = []
    private(set) var searchDocuments: [JSONValue] = []
    private(set) var data: [BookData] = []
    private(set) var volumes: [JSONValue] = []
    private(set) var isbndbBooks: [JSONValue] = []

    /// Collects documents from `value`, recursively.
    mutating func collect(_ value: JSONValue) {
        switch value {
        case .array(let elements): for element in elements { collect(element) }
        case .object(let members):
            if keep(value) { return }
            for member in members {
                if member.name.hasPrefix("ISBN:") {
                    data.append(BookData(bibKey: member.name, value: member.value))
                } else {
                    collect(member.value)
                }
            }
        default: break
        }
    }

    private mutating func keep(_ value: JSONValue) -> Bool {
        let key = value["key"]?.text ?? ""
        let type = value["type"]?["key"]?.text
        if value["kind"] == "books#volume", value["volumeInfo"] != nil {
            volumes.append(value)
        } else if key.hasPrefix("/books/"), type == "/type/edition" {
            editions.append(value)
        } else if key.hasPrefix("/works/"), type == "/type/work" {
            works.append(value)
        } else if key.hasPrefix("/authors/"), type == "/type/author" {
            authors.append(value)
        } else if key.hasSuffix("W"), value["title"] != nil, value["author_name"] != nil || value["isbn"] != nil {
            searchDocuments.append(value)
        } else if value["isbn13"] != nil, value["title_long"] != nil, value["book_id"] == nil {
            isbndbBooks.append(value)
        } else {
            return false
        }
        return true
    }
}

/// A file with recorded responses or dump lines.
struct RecordedFile: Sendable {
    let url: URL

    /// The JSON texts of a file.
    struct Contents {
        var values: [JSONValue] = []
        /// Number of texts that are not JSON.
        var broken = 0
    }

    /// The supported files in a folder and its subfolders, ordered by path.
    static func all(in folder: URL) throws -> [RecordedFile] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { path in ["json", "jsonl", "txt"].contains { path.hasSuffix(".\($0)") } }
            .sorted()
            .map { RecordedFile(url: folder.appending(path: $0)) }
    }

    /// The JSON of the file: the whole file for `.json`, the body for `.http.txt`, otherwise one text per line (for a dump line, its last
    /// tab-separated column).
    func contents() throws -> Contents {
        let bytes = [UInt8](try Data(contentsOf: url))
        var contents = Contents()
        for text in texts(bytes) {
            do {
                contents.values.append(try JSONValue(parsing: text))
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

/// Wikidata items and search results found in recorded responses.
struct RecordedEntities: Sendable {
    private(set) var entities: [JSONValue] = []
    private(set) var searchResults: [JSONValue] = []

    /// Collects the items and search results of an API response, or a single item.
    mutating func collect(_ value: JSONValue) {
        for entity in value["entities"]?.objectMembers ?? [] { keep(entity.value) }
        if value["search"] != nil { searchResults += value["search"]?.elements.filter { $0["label"] != nil } ?? [] }
        keep(value)
    }

    private mutating func keep(_ entity: JSONValue) {
        if entity["type"] == "item", entity["id"] != nil { entities.append(entity) }
    }
}
