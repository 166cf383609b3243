/// Header fields that answers are documented with.
enum AnswerField: String, CaseIterable {
    case requestId = "X-Request-Id"
    case limit = "X-RateLimit-Limit"
    case remaining = "X-RateLimit-Remaining"
    case reset = "X-RateLimit-Reset"
    case retryAfter = "Retry-After"
    case deprecation = "Deprecation"
    case sunset = "Sunset"
    case link = "Link"

    /// Those of every answer that counted against a limit.
    static let limits: [AnswerField] = [.limit, .remaining, .reset]
    /// Those of deprecated routes.
    static let deprecated: [AnswerField] = [.deprecation, .sunset, .link]
}

extension AnswerField: Encodable {
    private enum Key: String, CodingKey { case description, schema }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(meaning, forKey: .description)
        try container.encode(schema, forKey: .schema)
    }

    private var schema: Schema {
        switch self {
        case .limit, .remaining, .reset, .retryAfter: .integer(0...Int(Int64.max))
        case .requestId, .deprecation, .sunset, .link: .text
        }
    }

    private var meaning: String {
        switch self {
        case .requestId: "The request's identifier: your own, or a new one."
        case .limit: "Requests that the tightest limit admits."
        case .remaining: "Requests that it still admits."
        case .reset: "When it next admits one more, in Unix seconds."
        case .retryAfter: "Seconds to wait before another try."
        case .deprecation: "Since when the route is deprecated (RFC 9745)."
        case .sunset: "When the route goes away (RFC 8594)."
        case .link: "The route to use instead."
        }
    }
}
