import Foundation

/// The sample lists that the repository ships.
enum SampleBooks {
    static var list: URL {
        URL(filePath: #filePath).appending(path: "../../../deploy/sample/isbns.txt").standardizedFileURL
    }

    /// The ISBNs of `list`, as a user would send them.
    static func isbns() throws -> [String] {
        try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .map { String($0.prefix { $0 != "#" }).trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}
