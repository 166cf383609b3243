import BookstrackContract

/// Jobs whose items are still coming in pages (`BeginDraft`). In memory only, bounded, and bound to their connection.
struct DraftTable {
    struct Draft {
        var owner: PeerID
        var jobId: JobID
        var pipeline: Pipeline
        var digest: String
        var totalCount: Int
        var items: [BookQuery] = []
    }

    private var drafts: [Int: Draft] = [:]
    private var nextNumber = 1

    var count: Int { drafts.count }

    mutating func add(_ draft: Draft) -> Int {
        defer { nextNumber += 1 }
        drafts[nextNumber] = draft
        return nextNumber
    }

    /// Adds a page; throws `HostFailure.noDraft` or, for more items than announced, `.invalidRequest`.
    mutating func append(_ items: [BookQuery], to number: Int, owner: PeerID) throws {
        guard let draft = drafts[number], draft.owner == owner else { throw HostFailure.noDraft }
        guard draft.items.count + items.count <= draft.totalCount else {
            drafts[number] = nil
            throw HostFailure.invalidRequest("more items than announced")
        }
        drafts[number]?.items += items
    }

    /// Takes a draft out; throws `HostFailure.noDraft` or, when items are missing, `.invalidRequest`.
    mutating func take(_ number: Int, owner: PeerID) throws -> Draft {
        guard let draft = drafts[number], draft.owner == owner else { throw HostFailure.noDraft }
        drafts[number] = nil
        guard draft.items.count == draft.totalCount else {
            throw HostFailure.invalidRequest("\(draft.items.count) of \(draft.totalCount) items arrived")
        }
        return draft
    }

    mutating func removeAll(owner: PeerID) {
        drafts = drafts.filter { $0.value.owner != owner }
    }
}
