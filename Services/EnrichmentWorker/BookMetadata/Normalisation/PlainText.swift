/// Turns the descriptions of providers into plain text (spec/04: "HTML in descriptions becomes text").
package enum PlainText {
    /// Longest description kept, in characters; longer ones are cut at a character boundary.
    package static let longestDescription = 10_000

    /// Elements whose end is a line break in the text.
    private static let blockElements: Set<Substring> = [
        "br", "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "tr",
    ]

    /// The text without tags, entities, provider footers and repeated white space; `nil` when nothing is left.
    package static func from(_ markup: String) -> String? {
        let text = tidy(HTMLEntity.decode(strippingTags(markup)))
        return text.isEmpty ? nil : String(text.prefix(longestDescription))
    }

    private static func strippingTags(_ markup: String) -> String {
        guard markup.contains("<") else { return markup }
        var text = ""
        text.reserveCapacity(markup.utf8.count)
        var rest = markup[...]
        while let open = rest.firstIndex(of: "<") {
            text += rest[..<open]
            guard let tag = Tag(at: open, in: rest) else {
                text.append("<")
                rest = rest[rest.index(after: open)...]
                continue
            }
            if blockElements.contains(tag.name) { text.append("\n") }
            rest = rest[tag.end...]
            if tag.hidesContent, let close = rest.range(ofElementEnd: tag.name) { rest = rest[close...] }
        }
        return text + rest
    }

    /// Trims every line, keeps at most one empty line between paragraphs, and leaves out link definitions and what
    /// Open Library appends below a rule ("Also contained in …").
    private static func tidy(_ text: String) -> String {
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count == 1, words[0].count >= 5, words[0].allSatisfy({ $0 == "-" }) { break }
            if isLinkDefinition(words) { continue }
            if words.isEmpty, lines.last?.isEmpty ?? true { continue }
            lines.append(words.joined(separator: " "))
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// `[1]: https://…`, the footnotes of Markdown.
    private static func isLinkDefinition(_ words: [Substring]) -> Bool {
        words.count >= 2 && words[0].hasPrefix("[") && words[0].hasSuffix("]:") && words[1].hasPrefix("http")
    }

    /// A tag or comment; a `<` that begins neither is text.
    private struct Tag {
        let name: Substring
        let hidesContent: Bool
        let end: Substring.Index

        init?(at open: Substring.Index, in text: Substring) {
            let afterOpen = text[text.index(after: open)...]
            if afterOpen.hasPrefix("!--") {
                guard let close = afterOpen.firstRange(of: "-->") else { return nil }
                (name, hidesContent, end) = ("!", false, close.upperBound)
                return
            }
            let isEnd = afterOpen.first == "/"
            let nameStart = isEnd ? afterOpen.dropFirst() : afterOpen
            guard nameStart.first.map({ $0.isASCII && $0.isLetter }) ?? false, let close = nameStart.firstIndex(of: ">")
            else { return nil }
            name = nameStart[..<close].prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()[...]
            hidesContent = !isEnd && (name == "script" || name == "style")
            end = text.index(after: close)
        }
    }
}

extension Substring {
    /// Where the content of a `script` or `style` element is over.
    fileprivate func range(ofElementEnd name: Substring) -> Substring.Index? {
        firstRange(of: "</\(name)>")?.upperBound
    }
}
