/// Cuts texts for frames at a character boundary (websocket.md "Frames").
struct FrameTextLimit: Sendable {
    /// Longest text, in bytes of UTF-8; at least 3, the length of the ellipsis.
    let bytes: Int

    /// A limit of `bytes`.
    init(bytes: Int) { self.bytes = max(bytes, 3) }

    /// `text`, or as many of its first characters as fit, with an ellipsis.
    func cut(_ text: String) -> String {
        guard text.utf8.count > bytes else { return text }
        var kept = ""
        var size = 0
        for character in text {
            size += character.utf8.count
            if size + 3 > bytes { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// `text` cut, when there is one.
    func cut(_ text: String?) -> String? { text.map { cut($0) } }
}
