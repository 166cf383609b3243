/// The hosts of the covers that API responses refer to (metadata.md "Mapping"); the raw value is the host's name.
package enum CoverHost: String, Sendable, CaseIterable {
    case openLibrary = "covers.openlibrary.org"
    case googleBooks = "books.google.com"
    case googleContent = "books.googleusercontent.com"
    case isbndb = "images.isbndb.com"

    /// The host that serves covers whose URLs contain this host name. Google Books also uses names under the domains of countries and with a prefix
    /// (`books.google.co.uk`, `bks5.books.google.ro`).
    ///
    /// - Parameter name: A name in lower case.
    /// - Returns: nil for any other host.
    package init?(name: String) {
        if let host = CoverHost(rawValue: name) {
            self = host
        } else if Self.isGoogleBooks(name) {
            self = .googleBooks
        } else {
            return nil
        }
    }

    private static func isGoogleBooks(_ name: String) -> Bool {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let google = labels.lastIndex(of: "google"), labels[..<google].last == "books", labels.first != "" else {
            return false
        }
        let domain = labels[google...].dropFirst()
        guard let country = domain.last, domain.count <= 2 else { return false }
        return domain.count == 1
            ? country == "com" || country.count == 2 : ["co", "com"].contains(domain.first) && country.count == 2
    }
}
