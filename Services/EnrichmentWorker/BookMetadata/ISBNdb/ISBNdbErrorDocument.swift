import BookstrackContract

/// The error bodies of ISBNdb: a sentence under one of three names, the service's and those of the gateway before it.
struct ISBNdbErrorDocument {
    let message: String

    /// `nil` when the document is no error.
    init?(_ node: JSONNode) {
        guard node["book"] == nil, node["books"] == nil,
            let message = node["errorMessage"]?.string ?? node["message"]?.string ?? node["error"]?.string
        else { return nil }
        self.message = message
    }

    /// Whether the provider looked and has nothing.
    var isNotFound: Bool { says(["not found", "unable to locate", "no results"]) }

    /// Whether the requests of the day or second are used up.
    private var isQuota: Bool { says(["limit exceeded", "too many requests", "quota", "rate limit", "request limit"]) }

    /// The failure as an error of a body.
    var bodyError: ProviderBodyError {
        isQuota ? .quotaExhausted(.isbndb) : .refused(.isbndb, reason: String(message.prefix(100)))
    }

    private func says(_ phrases: [String]) -> Bool {
        let lowered = message.lowercased()[...]
        return phrases.contains { lowered.firstOccurrence(of: $0) != nil }
    }
}
