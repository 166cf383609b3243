package import BookstrackContract

/// Converts providers' descriptions to plain text (metadata.md "Merging": "HTML in descriptions becomes plain text").
package enum PlainText {
    /// Maximum length of a description; longer descriptions are cut at a character boundary.
    package static let maxDescription = TextLimit(characters: 10_000)

    /// Maximum length of the markup that is read. Descriptions are mostly text, so the rest would rarely be kept.
    private static let maxMarkup = TextLimit(characters: 100_000)

    /// Elements whose tags become line breaks in the text.
    private static let blockElements: Set<Substring> = [
        "br", "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "tr",
    ]

    /// The text with entities decoded, and without tags, links, provider footers and repeated white space; `nil` if nothing is left.
    package static func from(_ markup: String) -> String? {
        let text = tidy(MarkdownLinks.removed(from: HTMLEntity.decode(strippingTags(maxMarkup.fit(markup)))))
        let kept = maxDescription.fit(text)
        return kept.isEmpty ? nil : kept
    }

    private static func strippingTags(_ markup: String) -> String {
        guard markup.utf8.contains(UInt8(ascii: "<")) else { return markup }
        var text = ""
        text.reserveCapacity(markup.utf8.count)
        var rest = markup[...]
        var searches = TerminatorSearch()
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
            text += rest[..<open]
            guard let tag = Tag(at: open, in: rest, &searches) else {
                text.append("<")
                rest = rest[rest.utf8.index(after: open)...]
                continue
            }
            if blockElements.contains(tag.name) { text.append("\n") }
            rest = rest[tag.end...]
            if tag.hidesContent, let close = searches.first("</\(tag.written)>", in: rest) {
                rest = rest[close.upperBound...]
            }
        }
        return text + rest
    }

    private static func tidy(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            var tidied = TidiedText(capacity: bytes.count)
            for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                guard tidied.append(UnsafeBufferPointer(rebasing: line)) else { break }
            }
            return tidied.text
        }
    }

    /// A tag or comment; any other `<` is text.
    private struct Tag {
        /// The name as written in the text; an element's end tag is assumed to be written in the same way.
        let written: Substring
        let name: Substring
        let hidesContent: Bool
        let end: Substring.Index

        init?(at open: Substring.Index, in text: Substring, _ searches: inout TerminatorSearch) {
            let afterOpen = text[text.utf8.index(after: open)...]
            if afterOpen.utf8.starts(with: "!--".utf8) {
                guard let close = searches.first("-->", in: afterOpen) else { return nil }
                (written, name, hidesContent, end) = ("!", "!", false, close.upperBound)
                return
            }
            let isEnd = afterOpen.utf8.first == UInt8(ascii: "/")
            let nameStart = isEnd ? afterOpen[afterOpen.utf8.index(after: afterOpen.startIndex)...] : afterOpen
            guard nameStart.utf8.first?.isASCIILetter == true,
                let close = searches.first(">", in: nameStart)
            else { return nil }
            let nameEnd = nameStart[..<close.lowerBound].utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit }.endIndex
            written = nameStart[..<nameEnd]
            name = written.lowercased()[...]
            hidesContent = !isEnd && (name == "script" || name == "style")
            end = close.upperBound
        }
    }
}

/// Removes Markdown links, which occur in Open Library's descriptions (https://spec.commonmark.org/0.31.2/#links).
private enum MarkdownLinks {
    /// The text without links. A link is removed if its text is "source" or if it is in parentheses, alone or after "source" or "from"; of other
    /// links, the text is kept.
    static func removed(from text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "[")) else { return text }
        let bracketed =
            /[ \t]{0,4}\((?:[Ss]ources?|[Ff]rom)?:?[ \t]{0,2}\[[^\[\]\n]{1,200}\](?:\[[^\[\]\n]{0,60}\]|\(https?:[^()\s]{1,500}\))[ \t]{0,2}\)/
        let source = /[ \t]{0,4}\[[Ss]ources?\](?:\[[^\[\]\n]{0,60}\]|\(https?:[^()\s]{1,500}\))/
        let other = /\[([^\[\]\n]{1,200})\](?:\[[^\[\]\n]{0,60}\]|\(https?:[^()\s]{1,500}\))/
        return text.replacing(bracketed.matchingSemantics(.unicodeScalar), with: "")
            .replacing(source.matchingSemantics(.unicodeScalar), with: "")
            .replacing(other.matchingSemantics(.unicodeScalar)) { $0.1 }
    }
}

/// Collects the lines of a string. White space in a line becomes single spaces, there is at most one empty line between paragraphs, and Open
/// Library's additions are dropped: link definitions, and everything below a rule ("Also contained in …").
struct TidiedText {
    private var bytes: [UInt8] = []
    private var lastIsEmpty = true

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// The lines so far.
    var text: String {
        guard let last = bytes.lastIndex(where: { $0 != UInt8(ascii: "\n") }) else { return "" }
        return String(decoding: bytes[...last], as: UTF8.self)
    }

    /// Adds a line. Returns false at a rule, because nothing below it belongs to the text.
    mutating func append(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = bytes.count
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
        let start = bytes.count
        WhiteSpace.appendSingleSpaced(line, to: &bytes)
        let isEmpty = bytes.count == start
        let isRule = Self.isRule(bytes[start...])
        if isRule || (isEmpty && lastIsEmpty) || Self.isLinkDefinition(bytes[start...]) {
            bytes.removeSubrange(end...)
            return !isRule
        }
        lastIsEmpty = isEmpty
        return true
    }

    private static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
        line.count >= 5 && line.allSatisfy { $0 == UInt8(ascii: "-") }
    }

    /// Whether a line is a Markdown link definition: `[1]: https://…`.
    private static func isLinkDefinition(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.first == UInt8(ascii: "["), let close = line.firstIndex(of: UInt8(ascii: "]")) else { return false }
        return line[close...].starts(with: "]: http".utf8)
    }
}

/// Searches a string from front to back for the ends of markup, and remembers which kinds of end do not occur again.
///
/// Otherwise, a string full of unclosed openings would be read to its end for each opening.
struct TerminatorSearch {
    private var missing: Set<String> = []

    /// The first occurrence of a terminator in the rest of the text; nil if there is none.
    mutating func first(_ terminator: String, in rest: Substring) -> Range<Substring.Index>? {
        guard !missing.contains(terminator) else { return nil }
        let range = rest.firstOccurrence(of: terminator)
        if range == nil { missing.insert(terminator) }
        return range
    }
}
