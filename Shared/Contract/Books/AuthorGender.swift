/// An author's gender as Wikidata states it, `Unknown` when it does not (metadata.md "Books").
public enum AuthorGender: String, Codable, Sendable, CaseIterable {
    case female = "Female"
    case male = "Male"
    case nonBinary = "Non-binary"
    case other = "Other"
    case unknown = "Unknown"
}
