import BookstrackContract
import SuiteMethods

/// Jobs whose items are still arriving in pages (`BeginDraft`). Kept in memory only and bound to their connection, with
/// limits on their number, their items, and the time between two pages.
struct DraftTable {
    struct Draft {
        var owner: PeerID
        var jobId: JobID
        var pipeline: Pipeline
        var digest: String
        var totalCount: Int
        var origin: JobOrigin
        var items: [BookQuery] = []
        /// If no page arrives by this time, the draft is dropped when another one is opened.
        var until: Duration
    }

    /// Maximum number of drafts.
    let limit: Int
    /// Maximum total number of items announced by all drafts.
    let itemLimit: Int
    private var drafts: [Int: Draft] = [:]
    private var nextNumber = 1

    init(limit: Int, itemLimit: Int) {
        self.limit = limit
        self.itemLimit = itemLimit
    }

    var count: Int { drafts.count }

    /// Opens a draft; throws `HostFailure.tooManyDrafts` at the limits.
    mutating func add(_ draft: Draft, now: Duration) throws -> Int {
        drafts = drafts.filter { $0.value.until > now }
        guard drafts.count < limit,
            drafts.values.reduce(draft.totalCount, { $0 + $1.totalCount }) <= itemLimit
        else { throw HostFailure.tooManyDrafts }
        defer { nextNumber += 1 }
        drafts[nextNumber] = draft
        return nextNumber
    }

    /// Adds a page; throws `HostFailure.noDraft` if the connection has no such draft. If there are more items than announced, drops the draft and
    /// throws `.invalidRequest`.
    mutating func append(_ items: [BookQuery], to number: Int, owner: PeerID, until: Duration) throws {
        guard let draft = drafts[number], draft.owner == owner else { throw HostFailure.noDraft }
        guard draft.items.count + items.count <= draft.totalCount else {
            drafts[number] = nil
            throw HostFailure.invalidRequest("more items than announced")
        }
        drafts[number]?.items += items
        drafts[number]?.until = until
    }

    /// Removes and returns a draft; throws `HostFailure.noDraft` if the connection has no such draft. If items are missing, drops the draft and
    /// throws `.invalidRequest`.
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
