/// How a row was matched: `matchedBy` in a results answer (metadata.md "Lookup", http-api.md "Results").
public enum MatchKind: String, Codable, Sendable {
    case isbn
    case title
    case workId
}
