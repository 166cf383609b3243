/// How a row was matched: `matchedBy` in a results answer (spec/04, spec/07).
public enum MatchKind: String, Codable, Sendable {
    case isbn
    case title
    case workId
}
