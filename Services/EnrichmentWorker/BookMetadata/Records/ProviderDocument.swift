package import BookstrackContract
import JSON

/// Reads what every provider's documents have in common.
enum ProviderDocument {
    /// Longest title and publisher kept, in characters.
    private static let longestLine = 500

    /// The outermost object of a body.
    ///
    /// - Throws: `ProviderBodyError.malformed` when the body is not a JSON object.
    static func object(
        in body: some Sequence<UInt8>, of provider: DataProvider
    ) throws(ProviderBodyError) -> JSONNode {
        guard let root = (try? JSONDocument(body))?.root, root.isObject else { throw .malformed(provider) }
        return root
    }

    /// A title or publisher on one line with single spaces; `nil` when empty.
    static func line(_ text: String?) -> String? {
        guard let line = text?[...].singleSpaced, !line.isEmpty else { return nil }
        return HTMLEntity.decode(line).cut(to: longestLine)
    }

    /// A number of pages that a book can have.
    static func pageCount(_ count: Int?) -> Int? {
        count.flatMap { (1...50_000).contains($0) ? $0 : nil }
    }
}

/// Why the body of a provider's answer could not be used.
package enum ProviderBodyError: Error, Hashable, Sendable {
    /// Not the JSON document that this provider sends.
    case malformed(DataProvider)
    /// The provider's quota is used up; a later call may succeed.
    case quotaExhausted(DataProvider)
    /// The provider answered with an error document.
    case refused(DataProvider, reason: String)
}
