import ProviderHTTP

/// One request to a provider, with the questions it answers.
struct ProviderCall: Sendable {
    /// Names a call in this process.
    struct ID: Hashable, Sendable {
        let number: UInt64
    }

    let id: ID
    let kind: CallKind
    let rank: CallRank
    let questions: [Question]
    /// Those whose share of calls in flight this one counts against.
    let parties: Set<CallParty>
    /// When the last of those who wait stops waiting.
    let deadline: MonotonicInstant

    /// Whose share of a daily budget it counts against; nil for one that several clients share.
    var client: String? {
        let clients = Set(parties.map(\.client))
        return clients.count == 1 ? clients.first ?? nil : nil
    }
}
