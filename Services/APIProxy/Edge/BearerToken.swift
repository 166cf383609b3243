/// `Authorization: Bearer …` (RFC 6750 §2.1; the scheme's case does not matter, RFC 9110 §11.1).
enum BearerToken {
    /// The token of a field value; nil for another scheme.
    static func read(_ field: String?) -> String? {
        guard let parts = field?.split(separator: " ", omittingEmptySubsequences: true), parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return String(parts[1])
    }
}
