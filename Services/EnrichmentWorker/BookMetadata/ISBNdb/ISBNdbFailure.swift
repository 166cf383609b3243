import JSON

/// An error body from ISBNdb, or from the gateway in front of it: a message in one of three members.
struct ISBNdbErrorDocument {
    let message: String

    /// Nil if the document is not an error.
    init?(_ node: JSONNode) {
        guard node["book"] == nil, node["books"] == nil, node["data"] == nil,
            let message = node["errorMessage"]?.string ?? node["message"]?.string ?? node["error"]?.string
        else { return nil }
        self.message = message
    }

    /// Whether the provider searched and found nothing.
    var isNotFound: Bool { says(["not found", "unable to locate", "no results"]) }

    /// Whether a request limit is used up.
    var isQuota: Bool { says(["limit exceeded", "too many requests", "quota", "rate limit", "request limit"]) }

    /// Whether the key is refused, or its plan does not allow the request.
    var isKeyRefusal: Bool {
        says([
            "forbidden", "unauthorized", "not authorized", "denied", "invalid api key", "invalid key", "subscription",
        ])
    }

    /// The failure as a body error.
    var bodyError: ProviderBodyError {
        isQuota ? .exhausted : .refused(reason: String(message.prefix(100)))
    }

    private func says(_ phrases: [String]) -> Bool {
        let lowered = message.lowercased()[...]
        return phrases.contains { lowered.firstOccurrence(of: $0) != nil }
    }
}

/// The meaning of an error response from ISBNdb.
package enum ISBNdbFailure: Hashable, Sendable {
    /// The day's requests are used up.
    case quotaExhausted
    /// The key is not accepted, or its plan does not allow the request or belongs to another base URL.
    case keyRefused
    /// Anything else; the status alone determines what it means.
    case other

    /// Reads the status and body of an error response. A 401 means a refused key and a 403 an exhausted quota, unless the body says otherwise; a 429
    /// only asks for a pause.
    package init(status: Int, body: some Sequence<UInt8>) {
        guard status == 401 || status == 403 else {
            self = .other
            return
        }
        let document = (try? JSONDocument(body)).flatMap { ISBNdbErrorDocument($0.root) }
        let isKey = document.map { !$0.isQuota && (status == 401 || $0.isKeyRefusal) } ?? (status == 401)
        self = isKey ? .keyRefused : .quotaExhausted
    }
}
