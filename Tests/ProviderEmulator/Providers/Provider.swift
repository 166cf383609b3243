/// The providers that are emulated. The raw value is the first component of their paths.
enum Provider: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case openLibrary = "openlibrary"
    case googleBooks = "googlebooks"
}
