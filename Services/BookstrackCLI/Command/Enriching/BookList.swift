import BookstrackContract
import Foundation

/// Reads the books given by a user: ISBNs on the command line, lists of ISBNs, CSV files.
enum BookList {
    /// Maximum length, in characters, of a text that the server treats as an ISBN (http-api.md "Validation").
    private static let longestISBN = 32

    /// An argument is a file if one of that name exists, standard input if it is `-`, and an ISBN if it looks like one.
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

    /// The rows of a file: a table if a line contains a comma, a semicolon or a tab outside of a comment, otherwise one ISBN per line, optionally
    /// quoted, below an optional header `isbn`.
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

    /// Only digits, X and separators, and not too many of them; the server decides whether the ISBN is valid.
    static func looksLikeISBN(_ text: String) -> Bool {
        let digits = text.filter { !"- \u{2010}\u{2011}\u{2012}\u{2013}".contains($0) }
        return (9...13).contains(digits.count)
            && digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "X" || $0 == "x") }
    }

    /// The ISBN of a line that contains nothing else but a comment; nil for other lines, such as a title with a `#`.
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

/// The encoding and the separator of a file.
enum BookFile {
    /// The text of a file without its byte order mark. Throws `CommandFailure` with the actual type if it is not UTF-8 text.
    static func text(of bytes: Data, name: String) throws -> String {
        if isUTF16(bytes) {
            throw CommandFailure(.badInput, "\(name) is UTF-16; save it as UTF-8 (in Excel: \"CSV UTF-8\")")
        }
        guard let text = String(bytes: bytes, encoding: .utf8) else {
            throw CommandFailure(
                .badInput,
                "\(name) is not UTF-8 but probably Latin-1 or Windows-1252; save it as UTF-8 (in Excel: \"CSV UTF-8\")"
            )
        }
        let plain = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        guard !isJSON(plain) else {
            throw CommandFailure(.badInput, "\(name) is JSON; export the list as CSV, or name the ISBNs one per line")
        }
        return plain
    }

    /// The separator of a table: the most frequent one outside of quotes in the first line.
    static func delimiter(of text: String) -> Character {
        var counts: [Character: Int] = [:]
        var isQuoted = false
        let lines = text.split(maxSplits: 100, whereSeparator: \.isNewline)
        for character in lines.first(where: { !BookList.isComment($0) }) ?? "" {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted { counts[character, default: 0] += 1 }
        }
        let separators: [Character] = [",", ";", "\t"]
        return separators.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? ","
    }

    /// Detected by its byte order mark (RFC 2781 §3.2), or by a zero in each of the first pairs of bytes.
    private static func isUTF16(_ bytes: Data) -> Bool {
        let start = Array(bytes.prefix(64))
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return true }
        let pairs = stride(from: 0, to: start.count - 1, by: 2)
        return start.count >= 4 && (pairs.allSatisfy { start[$0] == 0 } || pairs.allSatisfy { start[$0 + 1] == 0 })
    }

    private static func isJSON(_ text: String) -> Bool {
        guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[" else { return false }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    }
}
