import BookIdentifiers

/// Identifiers as the providers would give them. They follow from the facts, so that they are the same in every run; they are
/// not the real providers' identifiers.
extension CatalogueBook {
    var editionKey: String { "/books/OL9\(Self.digits(11, of: isbn.isbn13))M" }

    var workKey: String {
        "/works/OL9\(Self.digits(11, of: "\(workTitle)\u{0}\(authors.first ?? "")"))W"
    }

    static func authorKey(_ name: String) -> String { "/authors/OL9\(digits(7, of: name))A" }

    var coverID: Int { 10_000_000 + Int(StableHash.of("cover \(isbn.isbn13)") % 5_000_000) }

    /// Twelve characters of Google's alphabet for volume ids.
    var volumeID: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var hash = StableHash.of("volume \(isbn.isbn13)")
        var id = ""
        for _ in 0..<8 {
            id.append(alphabet[Int(hash % 64)])
            hash /= 64
        }
        return id + "AAAJ"
    }

    private static func digits(_ count: Int, of text: String) -> String {
        let digits = String(StableHash.of(text))
        return String(digits.suffix(count))
    }
}
