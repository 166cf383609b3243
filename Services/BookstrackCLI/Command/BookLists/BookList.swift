import BookstrackContract
import Foundation

/// Reads the books that a user names: ISBNs on the command line, lists of ISBNs, CSV files.
enum BookList {
    /// Longest text, in characters, that the server judges as an ISBN (http-api.md "Validation").
    private static let longestISBN = 32

    /// A file is read when there is one of that name, `-` is standard input, anything that looks like an ISBN is one.
    static func read(arguments: [String]) throws -> [BookQuery] {
        try arguments.flatMap { argument -> [BookQuery] in
            if argument == "-" {
                return try parse(FileHandle.standardInput.readToEnd() ?? Data(), name: "standard input")
            }
            if let bytes = FileManager.default.contents(atPath: argument) { return try parse(bytes, name: argument) }
            guard looksLikeISBN(argument) else {
                throw CommandFailure(.noInput, "\"\(argument)\": no such file, and not an ISBN")
            }
            return [BookQuery(isbn: argument)]
        }
    }

    /// The rows of a file: a table when a line has a comma, a semicolon or a tab that is not in a comment, else one ISBN per line, perhaps
    /// quoted, below a header `isbn` if there is one.
    static func parse(_ bytes: Data, name: String) throws -> [BookQuery] {
        let text = try BookFile.text(of: bytes, name: name)
        let delimiter = BookFile.delimiter(of: text)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let isTable = lines.contains {
            ($0.contains(delimiter) || $0.contains(",")) && !isComment($0) && isbnBeforeComment($0) == nil
        }
        do {
            return isTable ? try BookTable.rows(of: text, delimiter: delimiter) : try isbns(of: lines)
        } catch {
            throw CommandFailure(.badInput, "\(name), line \(error.line): \(error.problem)")
        }
    }

    /// Digits, X and separators in the number that an ISBN may have; whether it is a right one is the server's to say.
    static func looksLikeISBN(_ text: String) -> Bool {
        let digits = text.filter { !"- \u{2010}\u{2011}\u{2012}\u{2013}".contains($0) }
        return (9...13).contains(digits.count)
            && digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "X" || $0 == "x") }
    }

    /// The ISBN of a line that has nothing else but a comment; nil for other lines, such as a title with a `#` in it.
    static func isbnBeforeComment(_ line: some StringProtocol) -> String? {
        guard let mark = line.firstIndex(of: "#") else { return nil }
        let text = unquoted(line[..<mark])
        return looksLikeISBN(text) ? text : nil
    }

    static func isComment(_ line: Substring) -> Bool { line.drop { $0.isWhitespace }.hasPrefix("#") }

    private static func isbns(of lines: [Substring]) throws(CSVError) -> [BookQuery] {
        var books: [BookQuery] = []
        for (index, line) in lines.enumerated() {
            let text = unquoted(line.prefix { $0 != "#" })
            if text.isEmpty || text.lowercased() == "isbn" { continue }
            guard text.count <= longestISBN else {
                throw CSVError(line: index + 1, problem: "neither an ISBN nor a row of title,author,isbn")
            }
            books.append(BookQuery(isbn: text))
        }
        return books
    }

    private static func unquoted(_ text: some StringProtocol) -> String {
        let text = text.trimmingCharacters(in: .whitespaces)
        return text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? String(text.dropFirst().dropLast()) : text
    }
}
