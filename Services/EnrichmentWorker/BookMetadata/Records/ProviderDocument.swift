import JSON

/// Reads the parts common to all providers' documents.
enum ProviderDocument {
    /// Maximum length of a title or publisher in characters.
    private static let maxLineLength = 500

    /// The outermost object in a body.
    ///
    /// - Throws: `ProviderBodyError.malformed` if the body is not a JSON object.
    static func object(in body: some Sequence<UInt8>) throws(ProviderBodyError) -> JSONNode {
        guard let root = (try? JSONDocument(body))?.root, root.isObject else { throw .malformed }
        return root
    }

    /// A title or publisher as a single line with single spaces and without character references; `nil` if empty.
    static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        let line = HTMLEntity.decode(text)[...].singleSpaced.cut(to: maxLineLength)
        return line.isEmpty ? nil : line
    }

    /// The provider's total for a list, but at least the number of entries sent, and at most a billion, so sums of totals cannot overflow.
    static func total(_ stated: Int, atLeast count: Int) -> Int { min(max(stated, count), 1_000_000_000) }

    /// The page count, if it is plausible for a book.
    static func pageCount(_ count: Int?) -> Int? {
        count.flatMap { (1...50_000).contains($0) ? $0 : nil }
    }
}

/// Why the body of a provider's response could not be used.
package enum ProviderBodyError: Error, Hashable, Sendable {
    /// The body does not have the provider's format.
    case malformed
    /// A quota or rate limit is used up, or the provider's servers are lagging or read-only; a later call may succeed.
    case exhausted
    /// The request has more values than the provider allows.
    case tooManyValues
    /// The provider responded with an error document.
    case refused(reason: String)
}
