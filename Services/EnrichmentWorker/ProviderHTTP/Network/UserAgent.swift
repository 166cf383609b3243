/// The `User-Agent` of every provider call.
///
/// Open Library answers 403 to clients without a contact (mail or URL), and Google compresses only when the word "gzip"
/// appears.
package struct UserAgent: Hashable, Sendable {
    /// The header's value, for example `BooksTrack/2.1 (books@example.org; gzip)`.
    package let text: String

    /// - Parameters:
    ///   - version: the suite's version.
    ///   - contact: a mail address or URL; nil leaves it out.
    /// - Returns: nil when a part holds characters that a header or its comment must not.
    package init?(version: String, contact: String?) {
        let comment = [contact, "gzip"].compactMap(\.self).joined(separator: "; ")
        let allowed = (version + comment).utf8.allSatisfy { (0x20...0x7e).contains($0) && !"()\\".utf8.contains($0) }
        guard allowed, !version.isEmpty, !version.contains(" "), contact?.isEmpty != true else { return nil }
        text = "BooksTrack/\(version) (\(comment))"
    }
}
