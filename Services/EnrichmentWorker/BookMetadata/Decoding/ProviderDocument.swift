import BookstrackContract
import Foundation

/// Reads the bodies of answers.
enum ProviderDocument {
    /// Longest title and publisher kept, in characters.
    private static let longestLine = 500

    /// Decodes a whole body.
    ///
    /// - Throws: `ProviderBodyError.malformed` when it is not the JSON document expected.
    static func decode<Document: Decodable>(
        _ type: Document.Type, from body: some Sequence<UInt8>, of provider: DataProvider
    ) throws(ProviderBodyError) -> Document {
        do {
            return try JSONDecoder().decode(Document.self, from: Data(body))
        } catch {
            throw .malformed(provider)
        }
    }

    /// A title or publisher on one line with single spaces; `nil` when empty.
    static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : String(HTMLEntity.decode(words.joined(separator: " ")).prefix(longestLine))
    }

    /// A number of pages that a book can have.
    static func pageCount(_ count: Int?) -> Int? {
        count.flatMap { (1...50_000).contains($0) ? $0 : nil }
    }
}
