import BookstrackContract
import HTTPTypes

/// Describes a route for `/openapi.json`: purpose, parameters, body and responses. A test compares operations with routes.
struct APIOperation: Sendable {
    var method: HTTPRequest.Method
    /// The path, followed by its aliases.
    var paths: [String]
    /// The OpenAPI `operationId` of the first path.
    var id: String
    var group: OperationGroup
    var summary: String
    var notes: String?
    var parameters: [Parameter] = []
    var body: RequestBody?
    /// The responses that are not described by error codes.
    var answers: [OperationAnswer]
    /// Error codes beyond those that follow from the other properties (``allFailures``).
    var failures: [APIErrorCode] = []
    /// Whether requests count against the rate limits.
    var isLimited = true
    /// Whether the job's token is required, in `Authorization` or in another place that the operation describes.
    var needsToken = false
    var isDeprecated = false

    /// All documented responses. Error codes with the status of one of ``answers`` have no response of their own. The header fields for the request
    /// ID, rate limits and deprecation are listed only for ``answers``.
    var allAnswers: [OperationAnswer] {
        let successes = answers.map { answer in
            var answer = answer
            answer.fields +=
                [.requestId] + (isLimited ? AnswerField.limits : []) + (isDeprecated ? AnswerField.deprecated : [])
            return answer
        }
        let described = Set(answers.map(\.status))
        return successes
            + Dictionary(grouping: allFailures, by: \.status).filter { !described.contains($0.key) }.map {
                OperationAnswer(
                    status: $0, meaning: $1.map(\.rawValue).sorted().joined(separator: ", "), schema: .named(.failure),
                    fields: $0 == 429 || $0 == 503 ? [.retryAfter] : [])
            }
    }

    private var allFailures: Set<APIErrorCode> {
        var codes = Set(failures + [.invalidRequest, .requestTimeout, .internalError])
        if body != nil { codes.formUnion([.fileTooLarge, .unsupportedMediaType, .serviceUnavailable]) }
        if method != .get { codes.insert(.forbidden) }
        if isLimited { codes.insert(.rateLimitExceeded) }
        return codes
    }
}

extension APIOperation {
    /// One path of the operation, as described in OpenAPI.
    struct Described: Encodable {
        var operation: APIOperation
        /// Index in `operation.paths`; above 0 for an alias.
        var index: Int

        private enum Key: String, CodingKey {
            case operationId, tags, summary, description, parameters, requestBody, responses, security, deprecated
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(index == 0 ? operation.id : "\(operation.id)Alias\(index)", forKey: .operationId)
            try container.encode([operation.group.rawValue], forKey: .tags)
            try container.encode(operation.summary, forKey: .summary)
            try container.encodeIfPresent(notes, forKey: .description)
            if !operation.parameters.isEmpty { try container.encode(operation.parameters, forKey: .parameters) }
            try container.encodeIfPresent(operation.body, forKey: .requestBody)
            var responses = container.nestedContainer(keyedBy: MemberName.self, forKey: .responses)
            for answer in operation.allAnswers {
                try responses.encode(answer, forKey: MemberName("\(answer.status)"))
            }
            if operation.needsToken { try container.encode([["jobToken": [String]()]], forKey: .security) }
            if operation.isDeprecated { try container.encode(true, forKey: .deprecated) }
        }

        private var notes: String? {
            guard index > 0 else { return operation.notes }
            let alias = "Same as \(operation.paths[0])."
            return operation.notes.map { "\(alias) \($0)" } ?? alias
        }
    }
}

/// A parameter of an operation.
struct Parameter: Sendable {
    /// The value of OpenAPI's `in`.
    enum Place: String, Encodable { case query, path }

    var name: String
    var place: Place
    var isRequired: Bool
    var schema: Schema
    var meaning: String
    var example: String?

    /// A query parameter.
    static func query(
        _ name: String, _ schema: Schema, _ meaning: String, isRequired: Bool = false, example: String? = nil
    ) -> Parameter {
        Parameter(
            name: name, place: .query, isRequired: isRequired, schema: schema, meaning: meaning, example: example)
    }

    /// A query parameter whose value may be any string.
    static func query(
        _ name: String, _ meaning: String, isRequired: Bool = false, example: String? = nil
    ) -> Parameter {
        query(name, .text, meaning, isRequired: isRequired, example: example)
    }

    /// The path parameter `jobId`.
    static let jobId = Parameter(
        name: "jobId", place: .path, isRequired: true, schema: .jobId, meaning: "The job's identifier.", example: nil)
}

extension Parameter: Encodable {
    private enum Key: String, CodingKey {
        case name, schema, description, example, required
        case place = "in"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(place, forKey: .place)
        try container.encode(isRequired, forKey: .required)
        try container.encode(schema, forKey: .schema)
        try container.encode(meaning, forKey: .description)
        try container.encodeIfPresent(example, forKey: .example)
    }
}

/// The body that an operation accepts.
struct RequestBody: Sendable {
    var schema: SchemaName
    var isRequired = true
    var example: (any Encodable & Sendable)?
    var type = "application/json"
    /// Whether the body may instead be the file itself.
    var takesFile = false
    /// The schema of the same content in JSON; nil if the body's `type` is JSON already, or if JSON is not accepted.
    var jsonSchema: SchemaName?
}

extension RequestBody: Encodable {
    private enum Key: String, CodingKey { case content, required }
    private enum ContentKey: String, CodingKey { case schema, example }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(isRequired, forKey: .required)
        var types = container.nestedContainer(keyedBy: MemberName.self, forKey: .content)
        var content = types.nestedContainer(keyedBy: ContentKey.self, forKey: MemberName(type))
        try content.encode(Schema.named(schema), forKey: .schema)
        if let example { try content.encode(example, forKey: .example) }
        if let jsonSchema {
            var content = types.nestedContainer(keyedBy: ContentKey.self, forKey: MemberName("application/json"))
            try content.encode(Schema.named(jsonSchema), forKey: .schema)
        }
        if takesFile {
            var content = types.nestedContainer(keyedBy: ContentKey.self, forKey: MemberName(StandardFields.anyBytes))
            try content.encode(Schema.bytes, forKey: .schema)
        }
    }
}

/// One documented response of an operation.
struct OperationAnswer: Sendable {
    var status: Int
    var meaning: String
    /// Schema of the body, whose media type is one of `types`; nil if there is no body.
    var schema: Schema?
    var types = ["application/json"]
    /// Media type of the response's text alternative, for example CSV; nil if there is none.
    var textType: String?
    var fields: [AnswerField] = []

    /// A response in the success envelope.
    static func envelope(_ status: Int, _ data: SchemaName, _ meaning: String) -> OperationAnswer {
        OperationAnswer(status: status, meaning: meaning, schema: .envelope(data))
    }

    /// A response in the success envelope, with the members of the data also at the top level.
    static func flatEnvelope(_ status: Int, _ data: SchemaName, _ meaning: String) -> OperationAnswer {
        OperationAnswer(status: status, meaning: meaning, schema: .flatEnvelope(data))
    }

    /// The same response with an entity tag, and the 304 response for a client that already has the current version.
    var tagged: [OperationAnswer] {
        var answer = self
        answer.fields.append(.eTag)
        return [answer, OperationAnswer(status: 304, meaning: "Nothing has changed.", fields: [.eTag])]
    }

    /// The same response with the header fields `X-Cache` and `Age`.
    var cached: OperationAnswer {
        var answer = self
        answer.fields += [.cache, .age]
        return answer
    }

    /// The same response with a text alternative of type `textType`.
    func or(_ textType: String) -> OperationAnswer {
        var answer = self
        answer.textType = textType
        return answer
    }
}

extension OperationAnswer: Encodable {
    private enum Key: String, CodingKey { case description, content, headers }
    private struct Content: Encodable { var schema: Schema }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(meaning, forKey: .description)
        if let schema {
            var content = container.nestedContainer(keyedBy: MemberName.self, forKey: .content)
            for type in types { try content.encode(Content(schema: schema), forKey: MemberName(type)) }
            if let textType { try content.encode(Content(schema: .text), forKey: MemberName(textType)) }
        }
        guard !fields.isEmpty else { return }
        var headers = container.nestedContainer(keyedBy: MemberName.self, forKey: .headers)
        for field in fields {
            try headers.encode(
                Reference(to: "#/components/headers/\(field.rawValue)"), forKey: MemberName(field.name))
        }
    }
}

/// Documented header fields of responses; the raw value is the name of the component.
enum AnswerField: String, CaseIterable {
    case requestId = "X-Request-Id"
    case limit = "X-RateLimit-Limit"
    case remaining = "X-RateLimit-Remaining"
    case reset = "X-RateLimit-Reset"
    case retryAfter = "Retry-After"
    case lastEventID = "Last-Event-ID"
    /// `Last-Event-ID` on a stream of several jobs, where its value has another form.
    case lastEventIDOfJobs = "Last-Event-ID-Of-Jobs"
    case eTag = "ETag"
    case cache = "X-Cache"
    case age = "Age"
    case deprecation = "Deprecation"
    case sunset = "Sunset"
    case link = "Link"

    /// The name in a response. Several components may describe a field of the same name.
    var name: String { self == .lastEventIDOfJobs ? Self.lastEventID.rawValue : rawValue }

    /// The header fields of responses to requests that count against the rate limits.
    static let limits: [AnswerField] = [.limit, .remaining, .reset]
    /// The header fields of responses from deprecated routes.
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
        case .limit, .remaining, .reset, .retryAfter, .lastEventID, .age: .integer(0...Int.max)
        case .cache: .choice(of: FoundAnswer.Source.self)
        case .requestId, .lastEventIDOfJobs, .eTag, .deprecation, .sunset, .link: .text
        }
    }

    private var meaning: String {
        switch self {
        case .requestId: "Request ID: the one that you sent, or a generated one."
        case .limit: "Requests allowed by the tightest limit."
        case .remaining: "Requests remaining under the tightest limit."
        case .reset: "When `X-RateLimit-Remaining` next increases, in Unix seconds."
        case .retryAfter: "Seconds to wait before retrying."
        case .eTag: "Entity tag of the response, for `If-None-Match` (RFC 9110)."
        case .cache: "Whether the result was cached (`HIT`), was just fetched (`MISS`), or has expired (`STALE`)."
        case .age: "Age of the result in seconds; absent on a `MISS`."
        case .lastEventID:
            "Number of the event after which the stream resumes; absent if the request specifies no event."
        case .lastEventIDOfJobs:
            "`ID=SEQ,ID=SEQ`: for each resumed job, the number of the event after which its events follow."
        case .deprecation: "When the route was deprecated (RFC 9745)."
        case .sunset: "When the route will be removed (RFC 8594)."
        case .link: "The route to use instead."
        }
    }
}
