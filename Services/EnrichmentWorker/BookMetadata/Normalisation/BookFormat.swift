package import BookstrackContract

/// Maps catalog bindings to the contract's five formats (metadata.md "Mapping").
package enum BookFormat {
    /// Binding words in order of precedence: "Mass Market Paperback" is Mass Market, "Audio CD" is audio, and "Paperback with CD-ROM" is a paperback.
    private static let words: [(needles: [String], format: EditionFormat)] = [
        (["audio", "mp3 cd", "cassette", "spoken word", "sound recording"], .audiobook),
        (["mass market", "mass-market", "massmarket"], .massMarket),
        (["ebook", "e-book", "electronic", "kindle", "epub", "nook", "digital", "pdf", "online"], .ebook),
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
        (["cd-rom", "cd rom", "cdrom", "compact disc", "compact disk", " cd "], .audiobook),
    ]

    /// The format for a binding; `nil` if it indicates none of the five.
    package static func from(_ binding: String) -> EditionFormat? {
        let lowered = " \(binding.lowercased()) "[...]
        return words.first { entry in entry.needles.contains { lowered.firstOccurrence(of: $0) != nil } }?.format
    }
}
