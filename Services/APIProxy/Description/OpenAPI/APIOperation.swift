import BookstrackContract
import HTTPTypes

/// What a route does, takes and answers, for `/openapi.json`. A test compares operations and routes.
struct APIOperation: Sendable {
    var method: HTTPRequest.Method
    /// The path, and its aliases after it.
    var paths: [String]
    /// The OpenAPI `operationId` of the first path.
    var id: String
    var group: OperationGroup
    var summary: String
    var notes: String?
    var parameters: [Parameter] = []
    var body: RequestBody?
    /// What is answered when all is well.
    var answers: [Answer]
    /// Codes of failures besides those that every operation may answer with.
    var failures: [APIErrorCode] = []
    /// Whether requests count against limits.
    var isLimited = true
    /// Whether the job's token is needed, in `Authorization`.
    var needsToken = false
    var isDeprecated = false

    /// Everything that may be answered. Fields that every answer carries are listed once, with the successes.
    var allAnswers: [Answer] {
        let successes = answers.map { answer in
            var answer = answer
            answer.fields +=
                [.requestId] + (isLimited ? AnswerField.limits : []) + (isDeprecated ? AnswerField.deprecated : [])
            return answer
        }
        let described = Set(answers.map(\.status))
        return successes
            + Dictionary(grouping: allFailures, by: \.status).filter { !described.contains($0.key) }.map {
                Answer(
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
