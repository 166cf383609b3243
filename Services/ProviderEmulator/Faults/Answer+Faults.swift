import NIOCore
import NIOHTTP1

/// The responses of providers that simulate a fault.
extension Answer {
    static func failure(_ code: Int, retryAfter: Int?, provider: Provider) -> Answer {
        let status = HTTPResponseStatus(statusCode: code)
        var answer =
            switch provider {
            case .openLibrary, .wikidata, .covers:
                Answer.text(
                    "<html><body><h1>\(code) \(status.reasonPhrase)</h1></body></html>", status: status,
                    type: "text/html")
            case .googleBooks:
                Answer.googleError(
                    status, status.reasonPhrase, reason: code == 429 ? "rateLimitExceeded" : "backendError")
            case .isbndb: Answer.json(["message": .string(status.reasonPhrase)], status: status)
            case .gemini where code == 429: Answer.geminiLimit("PerMinute", retryAfter: retryAfter)
            case .gemini: Answer.googleStatus(status, code == 403 ? "PERMISSION_DENIED" : "INTERNAL", "\(code)")
            case .openAI: Answer.chatError(status, status.reasonPhrase, code: nil)
            }
        // Gemini specifies the delay in the body.
        if provider == .gemini { return answer }
        if let retryAfter { answer.headers.add(name: "Retry-After", value: String(retryAfter)) }
        return answer
    }

    /// The response if the quota is exhausted. Google has used the statuses 400, 403 and 429 for this.
    static func quota(_ code: Int, provider: Provider) -> Answer {
        let status = HTTPResponseStatus(statusCode: code)
        switch provider {
        case .openLibrary, .covers:
            return .json(["error": "Too many requests from this address; slow down."], status: status)
        case .googleBooks: return googleQuota(status)
        case .isbndb: return .json(["message": "Limit Exceeded"], status: status)
        case .gemini: return geminiLimit("PerDay", retryAfter: nil)
        case .openAI: return chatError(.tooManyRequests, "You exceeded your current quota.", code: "insufficient_quota")
        case .wikidata:
            let reason = "The request limit has been reached; try again later."
            return .json(["error": ["code": "ratelimited", "info": .string(reason)]], status: status)
        }
    }

    private static func googleQuota(_ status: HTTPResponseStatus) -> Answer {
        googleError(
            status, "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'emulated'.",
            reason: status == .tooManyRequests ? "rateLimitExceeded" : "dailyLimitExceeded", name: "RESOURCE_EXHAUSTED",
            info: [
                "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED",
                "domain": "googleapis.com",
            ])
    }

    /// Google's response to a client whose country it cannot determine (https://developers.google.com/books/docs/v1/using#UserLocation).
    static let unknownLocation = Answer.googleError(
        .forbidden, "Cannot determine user location for geographically restricted operation.", reason: "unknownLocation"
    )

    /// An engine's response to a client in a country that it does not serve (https://ai.google.dev/gemini-api/docs/troubleshooting).
    static func unservedRegion(_ provider: Provider) -> Answer {
        provider == .gemini
            ? googleStatus(
                .badRequest, "FAILED_PRECONDITION", "User location is not supported for the API use.")
            : chatError(
                .forbidden, "Country, region, or territory not supported", code: "unsupported_country_region_territory")
    }

    /// The response to a wrong key; Google's has status 400, not 401
    /// (https://github.com/googleapis/googleapis/blob/master/google/api/error_reason.proto).
    static func invalidKey(_ provider: Provider) -> Answer {
        switch provider {
        case .googleBooks, .gemini: googleKey
        case .openAI: chatError(.unauthorized, "Incorrect API key provided.", code: "invalid_api_key")
        case .openLibrary, .isbndb, .wikidata, .covers: .json(["message": "Unauthorized"], status: .unauthorized)
        }
    }

    private static var googleKey: Answer {
        googleError(
            .badRequest, "API key not valid. Please pass a valid API key.", reason: "badRequest",
            name: "INVALID_ARGUMENT",
            info: [
                "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
                "domain": "googleapis.com", "metadata": ["service": "books.googleapis.com"],
            ])
    }

    static func redirect(to location: String) -> Answer {
        Answer(.found, headers: ["Location": location], body: ByteBuffer(), type: "text/html")
    }

    /// An HTML page that is declared as a different content type.
    static func garbage(as type: String) -> Answer {
        .text("<!DOCTYPE html><html><body>We are doing some maintenance.</body></html>", type: type)
    }

    static func bomb(_ bomb: GzipBomb, as type: String) -> Answer {
        Answer(headers: ["Content-Encoding": "gzip"], body: ByteBuffer(bytes: bomb.bytes), type: type)
    }
}
