internal import JSON

/// Reads a response from Gemini (https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse).
enum GeminiAnswer {
    /// Values of `finishReason` that indicate that Gemini withholds an answer.
    private static let blockingReasons: Set<String> = [
        "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "IMAGE_OTHER",
    ]

    static func read(_ body: some Sequence<UInt8>) throws(AnswerFault) -> EngineAnswer {
        guard let root = (try? JSONDocument(body))?.root, root.isObject else { throw .malformed }
        if let reason = root["promptFeedback"]?["blockReason"]?.string { throw .blocked(reason: reason) }
        guard let candidate = root.list("candidates", limit: 1, \.self).first else { throw .empty }
        let text = candidate["content"]?.list("parts") { part in
            part["thought"]?.bool == true ? nil : part["text"]?.string
        }.joined()
        let reason = candidate["finishReason"]?.string ?? "STOP"
        if blockingReasons.contains(reason) { throw .blocked(reason: reason) }
        if reason == "MAX_TOKENS" { throw .cutOff(text: text ?? "") }
        guard let text, !text.isEmpty else { throw .empty }
        return EngineAnswer(json: text)
    }
}

/// An error from a Google API (https://cloud.google.com/apis/design/errors), as used by Gemini
/// (https://ai.google.dev/gemini-api/docs/troubleshooting).
struct GeminiError {
    /// The name of the status, for example `FAILED_PRECONDITION`.
    private var status: String?
    private var message = ""
    /// The reasons in `details` (`google.rpc.ErrorInfo`).
    private var reasons: [String] = []
    /// The IDs of the exceeded quotas (`google.rpc.QuotaFailure`).
    private var quotas: [String] = []
    /// The delay before a retry (`google.rpc.RetryInfo`).
    private var retryAfter: Duration?

    init(_ body: some Sequence<UInt8>) {
        guard let error = (try? JSONDocument(body))?.root["error"] else { return }
        status = error["status"]?.string
        message = error["message"]?.string ?? ""
        for detail in error["details"]?.elements.prefix(20) ?? [] {
            if let reason = detail["reason"]?.string { reasons.append(reason) }
            quotas += detail.list("violations") { $0["quotaId"]?.string }
            retryAfter = detail["retryDelay"]?.string.flatMap(Self.duration) ?? retryAfter
        }
    }

    func refusal(_ code: Int) -> EngineRefusal {
        switch code {
        case _ where reasons.contains { Self.keyReasons.contains($0) }: .key
        case 400 where status == "FAILED_PRECONDITION": .region
        case 401, 403: .key
        case 404: .model
        // A model that was retired or is not available for this key has a quota of 0, which is evident only from the message.
        case 429 where message.contains("limit: 0,"): .model
        case 429 where quotas.contains { $0.contains("PerDay") }: .dailyQuota
        case 429: .rate(retryAfter: retryAfter)
        default: .other
        }
    }

    /// Reads a duration such as `34.5s` (https://protobuf.dev/programming-guides/json); nil for any other form, a negative time, or more than a day.
    private static func duration(_ text: String) -> Duration? {
        guard text.hasSuffix("s"), let seconds = Double(text.dropLast()), (0...86_400).contains(seconds) else {
            return nil
        }
        return .seconds(seconds)
    }

    private static let keyReasons: Set<String> = [
        "API_KEY_INVALID", "API_KEY_SERVICE_BLOCKED", "SERVICE_DISABLED", "API_KEY_HTTP_REFERRER_BLOCKED",
        "API_KEY_IP_ADDRESS_BLOCKED", "CONSUMER_INVALID", "CONSUMER_SUSPENDED", "BILLING_DISABLED",
    ]
}
