package import BookstrackContract

/// Turns the descriptions of providers into plain text (metadata.md "Merging": "HTML in descriptions becomes text").
package enum PlainText {
    /// Longest description kept; longer ones are cut at a character boundary.
    package static let longestDescription = TextLimit(characters: 10_000)

    /// Elements whose end is a line break in the text.
    private static let blockElements: Set<Substring> = [
        "br", "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "tr",
    ]

    /// The text without tags, entities, provider footers and repeated white space; `nil` when nothing is left.
    package static func from(_ markup: String) -> String? {
        let text = tidy(MarkdownLinks.removed(from: HTMLEntity.decode(strippingTags(markup))))
        let kept = longestDescription.fit(text)
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
            if tag.hidesContent, let close = searches.first("</\(tag.name)>", in: rest) {
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

    /// A tag or comment; a `<` that begins neither is text.
    private struct Tag {
        let name: Substring
        let hidesContent: Bool
        let end: Substring.Index

        init?(at open: Substring.Index, in text: Substring, _ searches: inout TerminatorSearch) {
            let afterOpen = text[text.utf8.index(after: open)...]
            if afterOpen.hasPrefix("!--") {
                guard let close = searches.first("-->", in: afterOpen) else { return nil }
                (name, hidesContent, end) = ("!", false, close.upperBound)
                return
            }
            let isEnd = afterOpen.first == "/"
            let nameStart = isEnd ? afterOpen.dropFirst() : afterOpen
            guard nameStart.first.map({ $0.isASCII && $0.isLetter }) ?? false,
                let close = searches.first(">", in: nameStart)
            else { return nil }
            name =
                nameStart[..<close.lowerBound].prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()[...]
            hidesContent = !isEnd && (name == "script" || name == "style")
            end = close.upperBound
        }
    }
}

/// Markdown's links, which Open Library's descriptions have (https://spec.commonmark.org/0.31.2/#links).
private enum MarkdownLinks {
    /// The text without links: one that names a source goes with its brackets, of others the words stay.
    static func removed(from text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "[")) else { return text }
        let bracketed =
            /[ \t]{0,4}\((?:[Ss]ources?|[Ff]rom)?:?[ \t]{0,2}\[[^\[\]\n]{1,200}\](?:\[[^\[\]\n]{0,60}\]|\(https?:[^()\s]{1,500}\))[ \t]{0,2}\)/
        let source = /[ \t]{0,4}\[[Ss]ources?\](?:\[[^\[\]\n]{0,60}\]|\(https?:[^()\s]{1,500}\))/
        let other = /\[([^\[\]\n]{1,200})\](?:\[[^\[\]\n]{0,60}\]|\(https?:[^()\s]{1,500}\))/
        return text.replacing(bracketed, with: "").replacing(source, with: "").replacing(other) { $0.1 }
    }
}
