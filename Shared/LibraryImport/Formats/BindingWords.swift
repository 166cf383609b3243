package import BookstrackContract

/// The words for the format of an edition in the vocabulary's languages.
package enum BindingWords {
    /// Parts of words, and phrases, in order of precedence: "Mass Market Paperback" is Mass Market, and "Digital Audiobook" an audiobook. A
    /// leading or trailing space matches the start or end of a word: a "notebook" or a "picture book" is not an e-book.
    private static let parts: [(words: [String], format: EditionFormat)] = [
        (
            [
                "audio", "mp3", "cassette", "hörbuch", "spoken", "аудио", "luisterboek", "äänikirja", "ljudbok",
                "lydbok", "audible",
            ], .audiobook
        ),
        (["mass market"], .massMarket),
        (
            [
                " ebook", " e book", "electronic", "kindle", " epub", "nook", "kobo", "digital", "pdf", "numérique",
                "elektronisch", "электрон",
                " e bok", " e pub", "mobi",
            ], .ebook
        ),
        (
            [
                "paperback", "softcover", "soft cover", "softback", "paper back", "paper book", "pocket", "broché",
                "taschenbuch",
                "broschiert", "broschur", "tapa blanda", "rústica", "poche", "brossura", "miękka", "мягк", "м'як",
                "häftad",
                "capa mole", "brochura", "pehmeäkantinen", "平装",
            ], .paperback
        ),
        (
            [
                "hardcover", "hardback", "hard cover", "hard back", "hardbound", "library binding", "board book",
                "relié", "gebunden",
                "tapa dura", "cartoné", "cloth", "leather", "rilegato", "copertina rigida", "twarda", "твёрд", "тверд",
                "inbunden",
                "capa dura", "kovakantinen", "精装",
            ], .hardcover
        ),
        // Last, because "Paperback with CD-ROM" is a paperback.
        (["cd rom", "cdrom", "compact disc", "compact disk", " cd "], .audiobook),
    ]

    /// The most common words, for fast lookup.
    private static let common: [String: EditionFormat] = [
        "Paperback": .paperback, "paperback": .paperback, "Hardcover": .hardcover, "hardcover": .hardcover,
        "Kindle Edition": .ebook,
        "ebook": .ebook, "Ebook": .ebook, "digital": .ebook, "Mass Market Paperback": .massMarket,
        "Audiobook": .audiobook,
        "audio": .audiobook, "Audible Audio": .audiobook, "Audio CD": .audiobook, "Library Binding": .hardcover,
    ]

    /// The format in a cell; nil if it is not one of the contract's five formats.
    package static func format(_ cell: String) -> EditionFormat? {
        guard !cell.isEmpty, cell.utf8.count <= 64 else { return nil }
        if let common = common[cell] { return common }
        return CellBytes.of(" \(FoldedText.fold(cell)) ") { bytes in
            parts.first { $0.words.contains(where: bytes.contains) }?.format
        }
    }
}
