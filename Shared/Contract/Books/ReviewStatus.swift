/// Whether a match may be shown as it is (metadata.md "Lookup").
public enum ReviewStatus: String, Codable, Sendable, CaseIterable {
    /// Matched by identifier, or scored at least 0.85.
    case verified
    /// Scored from 0.6 up to 0.85: a person should look.
    case needsReview
    /// Changed by the user; the server never sets it.
    case userEdited
}
