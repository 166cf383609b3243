/// The URL of a cover and its nominal width.
package struct CoverImage: Hashable, Codable, Sendable {
    /// An `https` URL.
    package let url: String
    /// Nominal width in pixels, for choosing the largest (metadata.md "Merging").
    package let width: Int

    /// The large version of an Open Library cover; `nil` for `-1` and 0, which stand for "none".
    static func openLibrary(id: Int) -> CoverImage? {
        id > 0 ? CoverImage(url: "https://covers.openlibrary.org/b/id/\(id)-L.jpg", width: 500) : nil
    }

    /// A cover from a URL in an Open Library record; `nil` for URLs outside its cover host.
    static func openLibrary(address: String) -> CoverImage? {
        guard let colon = address.firstIndex(of: ":"), address[colon...].hasPrefix("://covers.openlibrary.org/") else {
            return nil
        }
        return CoverImage(url: "https" + address[colon...], width: 500)
    }

    /// An ISBNdb cover; `nil` for URLs outside ISBNdb's domain. The scheme is replaced, because ISBNdb's dumps have `Https`.
    static func isbndb(_ address: String) -> CoverImage? {
        guard let colon = address.firstIndex(of: ":"), address[colon...].hasPrefix("://") else { return nil }
        let host = address[colon...].dropFirst(3).prefix { $0 != "/" }
        guard host == "isbndb.com" || host.hasSuffix(".isbndb.com") else { return nil }
        return CoverImage(url: "https" + address[colon...], width: 330)
    }

    /// A Google cover without its curled corner, at zoom 3 (metadata.md "Mapping").
    ///
    /// Zoom 3 is 575 pixels wide if the provider has it, but may be narrower if only thumbnails are known.
    static func google(_ address: String, hasLargerRenditions: Bool) -> CoverImage? {
        guard let question = address.firstIndex(of: "?") else { return nil }
        let base = address[..<question]
        let secure = base.hasPrefix("http://") ? "https://" + base.dropFirst(7) : String(base)
        guard secure.hasPrefix("https://") else { return nil }
        let parameters = address[address.index(after: question)...].split(separator: "&")
            .filter { !$0.hasPrefix("zoom=") && !$0.hasPrefix("edge=") }
        return CoverImage(
            url: secure + "?" + (parameters + ["zoom=3"]).joined(separator: "&"), width: hasLargerRenditions ? 575 : 300
        )
    }
}
