package import BookstrackContract

/// Maps catalog bindings to the contract's five formats (metadata.md "Mapping").
package enum BookFormat {
    /// Binding words in order of precedence: "Mass Market Paperback" is Mass Market, "Audio CD" is audio, and "Paperback with CD-ROM" is a paperback.
    /// A leading or trailing space matches the start or end of a word: a "notebook" or a "picture book" is not an e-book.
    private static let words: [(needles: [String], format: EditionFormat)] = [
        (["audio", "mp3 cd", "cassette", "spoken word", "sound recording"], .audiobook),
        (["mass market", "massmarket"], .massMarket),
        ([" ebook", " e book", "electronic", "kindle", " epub", "nook", "digital", "pdf", "online"], .ebook),
        (
            [
                "paperback", "softcover", "soft cover", "softback", "paper back", "perfect paperback", "pocket",
                "broché", "pbk", "taschenbuch", "broschiert", "tapa blanda", "poche",
            ],
            .paperback
        ),
        (
            [
                "hardcover", "hardback", "hard cover", "hard back", "hardbound", "library binding", "board book",
                "relié",
                "gebunden", "tapa dura", "cloth", "leather",
            ],
            .hardcover
        ),
        (["cd rom", "cdrom", "compact disc", "compact disk", " cd "], .audiobook),
    ]

    /// The format for a binding; `nil` if it indicates none of the five.
    package static func from(_ binding: String) -> EditionFormat? {
        let text = words(of: binding)[...]
        return words.first { entry in entry.needles.contains { text.firstOccurrence(of: $0) != nil } }?.format
    }

    /// The text in lower case, with a space at both ends and in place of ASCII punctuation: "E-Book" becomes " e book ".
    private static func words(of binding: String) -> String {
        let space = UInt8(ascii: " ")
        let words = binding.lowercased().utf8.map { $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit ? $0 : space }
        return String(decoding: [space] + words + [space], as: UTF8.self)
    }
}
