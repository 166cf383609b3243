import Foundation

/// The sample lists that the repository ships.
enum SampleBooks {
    /// The ISBNs of `deploy/sample/isbns.txt`, as a user would send them.
    static func isbns() throws -> [String] {
        let list = URL(filePath: #filePath).appending(path: "../../../deploy/sample/isbns.txt").standardizedFileURL
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .map { String($0.prefix { $0 != "#" }).trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}
