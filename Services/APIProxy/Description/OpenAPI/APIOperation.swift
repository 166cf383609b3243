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

    /// Everything that may be answered.
    var allAnswers: [Answer] {
        let common: [APIErrorCode] = [.invalidRequest, .requestTimeout, .internalError]
        let ofBodies: [APIErrorCode] = body == nil ? [] : [.fileTooLarge, .unsupportedMediaType, .serviceUnavailable]
        let ofLimits: [APIErrorCode] = isLimited ? [.rateLimitExceeded] : []
        let codes = Set(common + ofBodies + ofLimits + failures)
        let failures = Dictionary(grouping: codes, by: \.status).map { status, codes in
            Answer(
                status: status, meaning: codes.map(\.rawValue).sorted().joined(separator: ", "),
                schema: .named(.failure))
        }
        let deprecated = answers.map { answer in
            var answer = answer
            if isDeprecated { answer.fields += AnswerField.deprecated }
            return answer
        }
        return (deprecated + failures.filter { failure in !answers.contains { $0.status == failure.status } }).map {
            var answer = $0
            answer.fields += [.requestId] + (isLimited ? AnswerField.limits : [])
            if answer.status == 429 || answer.status == 503 { answer.fields.append(.retryAfter) }
            return answer
        }
    }
}
