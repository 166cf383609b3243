/// A provider's key, sent to the configured origin only.
package enum ProviderCredential: Hashable, Sendable {
    /// No key.
    case none
    /// A header of its own.
    case header(HeaderField)
    /// A query parameter, both parts already percent-encoded.
    case query(name: String, value: String)

    /// The key as it would appear in a URL or header.
    var secret: String? {
        switch self {
        case .none: nil
        case .header(let field): field.value.isEmpty ? nil : field.value
        case .query(_, let value): value.isEmpty ? nil : value
        }
    }

    /// The headers that carry it.
    var headers: [HeaderField] {
        if case .header(let field) = self { [field] } else { [] }
    }

    /// The path and query with it.
    func path(_ path: String) -> String {
        guard case .query(let name, let value) = self else { return path }
        return "\(path)\(path.contains("?") ? "&" : "?")\(name)=\(value)"
    }
}
