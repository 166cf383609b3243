package import BookstrackContract
import JSON
import JSONRPC
package import NIOCore

/// Records outcomes. The call is answered with `{}` when they have been committed. Called by the worker with `callRaw`.
///
/// The parameters are `{"outcomes":[…],"rows":[…]}` in exactly this order: each row is an `EnrichedBook`, or for a scan a `ScannedBook`, as in the
/// results. A row is sliced out using the lengths in `outcomes` and stored unchanged (Services/README.md "JSON-RPC"). If an item's first lookup is
/// recorded twice, the first outcome is kept (jobs.md "Durability"). A failure counts only if this worker holds the item's lease, and a success of
/// later work only if any worker does.
///
/// Application errors: `INVALID_REQUEST` for parameters of a different form, `SERVICE_UNAVAILABLE`, for example while storage refuses writes.
package struct RecordWork: Sendable {
    package static let name = "work.record"
    package static let deadline = Duration.seconds(15)

    /// The outcome of each item.
    package var outcomes: [ItemOutcome]
    /// The row of each item, in the same order.
    package var rows: [ByteBuffer]

    package init(outcomes: [ItemOutcome], rows: [ByteBuffer]) {
        self.outcomes = outcomes
        self.rows = rows
    }

    /// The call's parameters.
    package func raw() -> ByteBuffer {
        var head = JSONWriter()
        head.openArray()
        for outcome in outcomes {
            head.beginNext(at: 1)
            outcome.write(to: &head)
        }
        head.close(to: 0)
        var buffer = ByteBuffer()
        buffer.reserveCapacity(head.buffer.readableBytes + 32 + rows.reduce(0) { $0 + $1.readableBytes + 1 })
        buffer.writeString("{\"outcomes\":")
        buffer.writeImmutableBuffer(head.buffer)
        buffer.writeString(",\"rows\":[")
        for (index, row) in rows.enumerated() {
            if index > 0 { buffer.writeString(",") }
            buffer.writeImmutableBuffer(row)
        }
        buffer.writeString("]}")
        return buffer
    }

    /// Parses parameters created by `raw()`; nil if they have a different form. `raw` is one valid JSON text, so rows that lie exactly between
    /// separators are valid JSON themselves.
    package init?(raw: ByteBuffer) {
        var reader = raw
        let opening = "{\"outcomes\":"
        guard reader.readString(length: opening.utf8.count) == opening,
            let separator = reader.range(of: ",\"rows\":["), let head = reader.readSlice(length: separator.lowerBound),
            let outcomes = ItemOutcome.list(head)
        else { return nil }
        reader.moveReaderIndex(forwardBy: separator.count)
        var rows: [ByteBuffer] = []
        rows.reserveCapacity(outcomes.count)
        for index in outcomes.indices {
            guard index == 0 || reader.readInteger(as: UInt8.self) == UInt8(ascii: ","),
                let row = reader.readSlice(length: outcomes[index].rowLength),
                row.readableBytesView.first == UInt8(ascii: "{"), row.readableBytesView.last == UInt8(ascii: "}")
            else { return nil }
            rows.append(row)
        }
        guard reader.readString(length: reader.readableBytes) == "]}" else { return nil }
        self.init(outcomes: outcomes, rows: rows)
    }
}

/// The outcome of one item.
package struct ItemOutcome: Sendable {
    /// The item that was processed.
    package var key: ItemKey
    /// The class under which the item was claimed.
    package var workClass: WorkClass
    /// Why the item failed; nil on success.
    package var errorCode: ItemErrorCode?
    /// Title for progress frames.
    package var title: String
    /// Whether a follow-up can add missing facts to the item's result.
    package var followUp: FollowUpRequest
    /// Length of the row in `RecordWork.rows`, in bytes.
    package var rowLength: Int
    /// Whether the match is verified; only for an item of a scan.
    package var isVerified: Bool?
    /// The identity that the item shares with other spines of the same book; only for an item of a scan.
    package var identity: String?
    /// Quality of the result; absent if sent by an earlier worker version, whose results are not counted in analytics.
    package var measure: ResultMeasure?

    package init(
        key: ItemKey, workClass: WorkClass, errorCode: ItemErrorCode?, title: String, followUp: FollowUpRequest,
        rowLength: Int
    ) {
        self.key = key
        self.workClass = workClass
        self.errorCode = errorCode
        self.title = title
        self.followUp = followUp
        self.rowLength = rowLength
    }

    /// Reads the encoded form without a `Decoder`, because progress-host does this for every item; nil if the JSON has a different form.
    init?(_ json: ByteBuffer) {
        guard let members = ObjectReader(json), let key = members.object("key").flatMap(ItemKey.init),
            let workClass = members.string("workClass").flatMap(WorkClass.init), let title = members.string("title"),
            let followUp = members.string("followUp").flatMap(FollowUpRequest.init),
            let rowLength = members.integer("rowLength")
        else { return nil }
        self.init(
            key: key, workClass: workClass, errorCode: nil, title: title, followUp: followUp,
            rowLength: rowLength)
        isVerified = members.boolean("isVerified")
        identity = members.string("identity")
        measure = members.integer("measure").map(ResultMeasure.init)
        guard let code = members.string("errorCode") else { return }
        errorCode = ItemErrorCode(rawValue: code)
        if errorCode == nil { return nil }
    }

    /// Writes the encoded form without an `Encoder`, because a worker does this for every item.
    fileprivate func write(to json: inout JSONWriter) {
        json.openObject()
        let depth = json.depth
        json.beginMember("key", at: depth)
        key.write(to: &json)
        json.writeMember("workClass", workClass.rawValue, at: depth)
        if let errorCode { json.writeMember("errorCode", errorCode.rawValue, at: depth) }
        json.writeMember("title", title, at: depth)
        json.writeMember("followUp", followUp.rawValue, at: depth)
        json.writeMember("rowLength", rowLength, at: depth)
        if let isVerified { json.writeMember("isVerified", isVerified, at: depth) }
        if let identity { json.writeMember("identity", identity, at: depth) }
        if let measure { json.writeMember("measure", measure.rawValue, at: depth) }
        json.close(to: depth - 1)
    }

    static func list(_ json: ByteBuffer) -> [ItemOutcome]? {
        guard let elements = ArrayReader(json)?.elements else { return nil }
        let outcomes = elements.compactMap { ItemOutcome($0) }
        return outcomes.count == elements.count ? outcomes : nil
    }
}

/// Whether and when a worker will add facts to an item that has its result.
package enum FollowUpRequest: String, Codable, Sendable, CaseIterable {
    /// There is nothing for a follow-up to add.
    case none
    /// A follow-up as soon as there is capacity. If sent after a follow-up, that follow-up made progress, and another one follows immediately or, if
    /// the item has had too many, in the next background round.
    case soon
    /// After a follow-up or a background retry: a follow-up in the next background round, if there is one left. After a first lookup: the same as
    /// `soon`.
    case later
}
