import Foundation

/// What can be told of a file before it is read as a list of books.
enum BookFile {
    /// The text of a file without its byte order mark. Throws `CommandFailure` for what is not UTF-8 text, and says what it is.
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

    /// The separator of a table: the one that stands most often, outside of quotes, in its first line.
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

    /// By its byte order mark (RFC 2781 §3.2), or by a zero in each of the first pairs of bytes.
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
