import BookstrackContract

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
        guard let place = Place(address), place.host == .openLibrary else { return nil }
        return CoverImage(url: "https://" + place.hostAndPath, width: 500)
    }

    /// An ISBNdb cover; `nil` for URLs outside its cover host.
    static func isbndb(_ address: String) -> CoverImage? {
        guard let place = Place(address), place.host == .isbndb else { return nil }
        return CoverImage(url: "https://" + place.hostAndPath, width: 330)
    }

    /// A Google cover without its curled corner, at zoom 3 (metadata.md "Mapping"); `nil` for URLs outside Google's cover hosts or without a query.
    ///
    /// At zoom 3, the image is 575 pixels wide if the provider has a larger rendition; otherwise, it may be narrower.
    static func google(_ address: String, hasLargerRenditions: Bool) -> CoverImage? {
        guard let place = Place(address), [.googleBooks, .googleContent].contains(place.host),
            let question = place.hostAndPath.firstIndex(of: "?")
        else { return nil }
        let query = place.hostAndPath[question...].dropFirst()
        let parameters = query.split(separator: "&").filter { !$0.hasPrefix("zoom=") && !$0.hasPrefix("edge=") }
        return CoverImage(
            url: "https://" + place.hostAndPath[...question] + (parameters + ["zoom=3"]).joined(separator: "&"),
            width: hasLargerRenditions ? 575 : 300)
    }

    /// The part of an address after its scheme. The scheme itself is dropped: ISBNdb's dumps have `Https`, and Google sends `http`.
    private struct Place {
        let host: CoverHost
        let hostAndPath: Substring

        /// Returns `nil` unless the address is an `http` or `https` URL in ASCII whose host serves covers and is directly followed by a path. Anything
        /// else after the host, such as a port or `@`, is refused, because programs may disagree about where the host ends.
        init?(_ address: String) {
            guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let colon = address.firstIndex(of: ":"),
                ["http", "https"].contains(address[..<colon].lowercased()), address[colon...].hasPrefix("://")
            else { return nil }
            hostAndPath = address[colon...].dropFirst(3)
            let name = hostAndPath.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
            guard hostAndPath[name.endIndex...].first == "/", let host = CoverHost(name: name.lowercased()) else {
                return nil
            }
            self.host = host
        }
    }
}
