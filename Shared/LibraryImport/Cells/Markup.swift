/// HTML in cells: character references (HTML Living Standard §13.5) and tags.
enum Markup {
    /// Maximum length of a reference in bytes, without `&` and `;`.
    private static let maxNameLength = 10

    /// The named characters of HTML 4 (https://www.w3.org/TR/html401/sgml/entities.html).
    private static let named: [String: Unicode.Scalar] = {
        var characters: [String: Unicode.Scalar] = [:]
        for fields in EmbeddedTable.rows(of: PackageResources.NamedCharacters_tsv) where fields.count == 2 {
            characters[fields[0]] = UInt32(fields[1], radix: 16).flatMap(Unicode.Scalar.init)
        }
        return characters
    }()

    /// The text with references resolved; unknown references stay unchanged.
    static func decodingReferences(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var (decoded, rest) = ("", text[...])
        decoded.reserveCapacity(text.utf8.count)
        while let ampersand = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            decoded += rest[..<ampersand]
            let after = rest[rest.utf8.index(after: ampersand)...]
            // The limit is in bytes, because a character may have any number of combining marks.
            let end = after.utf8.prefix(maxNameLength).prefix {
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "#")
            }.endIndex
            if after.utf8[end...].first == UInt8(ascii: ";"), let scalar = scalar(named: after[..<end]) {
                decoded.unicodeScalars.append(scalar)
                rest = after[after.utf8.index(after: end)...]
            } else {
                decoded.append("&")
                rest = after
            }
        }
        return decoded + rest
    }

    private static func scalar(named name: Substring) -> Unicode.Scalar? {
        guard name.first == "#" else { return named[String(name)] }
        let digits = name.dropFirst()
        let value = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(scalar(numbered:))
    }

    /// The character for a number; nil for control characters other than tabs and line breaks. The numbers from 128 to 159 are bytes of Windows-1252.
    private static func scalar(numbered value: UInt32) -> Unicode.Scalar? {
        switch value {
        case 9, 10, 13, 32...126, 160...: Unicode.Scalar(value)
        case 128...159: CodePage.windows1252.scalar(UInt8(value))
        default: nil
        }
    }

    /// A line without the tags of formatted text, and with references resolved. Other words in angle brackets are text, as in `List<String>`, and so
    /// are tags that are never closed, as in `Box<B>`. Only line breaks need no end tag.
    static func line(_ markup: String) -> String {
        lazy var ended = namesOfEndTags(in: Array(markup.utf8)).union(["br"])
        return decodingReferences(
            withoutTags(markup) { name in
                guard ended.contains(name) else { return nil }
                return inlines.contains(name) ? "" : blocks.contains(name) ? " " : nil
            })
    }

    private static let inlines: Set<String> = [
        "i", "b", "em", "strong", "u", "s", "small", "big", "sub", "sup", "span", "font", "cite",
    ]

    /// The text without tags; block tags become line breaks. Lines are trimmed, and of several consecutive empty lines, only one is kept.
    static func text(_ markup: String) -> String {
        CellBytes.of(decodingReferences(withoutTags(markup) { blocks.contains($0) ? "\n" : "" })) { text in
            var kept: [String] = []
            for line in text.lines.lazy.map(CellText.singleSpaced)
            where !line.isEmpty || kept.last?.isEmpty == false {
                kept.append(line)
            }
            if kept.last?.isEmpty == true { kept.removeLast() }
            return kept.joined(separator: "\n")
        }
    }

    private static let blocks: Set<String> = [
        "br", "p", "div", "li", "ul", "ol", "tr", "blockquote", "h1", "h2", "h3", "h4",
    ]

    /// The text with its tags replaced.
    ///
    /// - Parameter replacement: Returns the string that replaces a tag with this name; nil to leave it in the text.
    private static func withoutTags(_ markup: String, replacement: (_ name: String) -> String?) -> String {
        guard markup.utf8.contains(UInt8(ascii: "<")) else { return markup }
        let bytes = Array(markup.utf8)
        var (tags, text, index) = (TagReader(bytes), [UInt8](), 0)
        text.reserveCapacity(bytes.count)
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), let tag = tags.tag(at: index),
                let string = replacement(tag.name)
            {
                text += string.utf8
                index = tag.end
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func namesOfEndTags(in bytes: [UInt8]) -> Set<String> {
        var (tags, names) = (TagReader(bytes), Set<String>())
        for start in bytes.indices.dropLast()
        where bytes[start] == UInt8(ascii: "<") && bytes[start + 1] == UInt8(ascii: "/") {
            if let tag = tags.tag(at: start) { names.insert(tag.name) }
        }
        return names
    }

    /// Reads the tags of a text from front to back. The end of a tag is searched for only once, even if many tags before it are never closed.
    private struct TagReader {
        /// Maximum length of a tag; a link with its URL fits.
        private static let maxLength = 2_048

        private let bytes: [UInt8]
        /// The first `>` after the name of the newest tag; the end of the text if there is none.
        private var close = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// The tag that starts at `start`, which must be after the previous start; a `<` before anything else is text.
        mutating func tag(at start: Int) -> (name: String, end: Int)? {
            let nameStart = start + (start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "/") ? 2 : 1)
            let nameEnd =
                bytes[nameStart...].prefix(12).firstIndex { !$0.isASCIILetter && !$0.isASCIIDigit }
                ?? min(nameStart + 12, bytes.count)
            guard nameEnd > nameStart, !bytes[nameStart].isASCIIDigit else { return nil }
            if close < nameEnd { close = bytes[nameEnd...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count }
            guard close < min(start + Self.maxLength, bytes.count) else { return nil }
            return (String(decoding: bytes[nameStart..<nameEnd], as: UTF8.self).lowercased(), close + 1)
        }
    }
}
