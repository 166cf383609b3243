package import BookstrackContract
import JSONRPC
import NIOCore

/// What became of one item.
package struct ItemOutcome: Encodable, Sendable {
    /// Which item it is.
    package var key: ItemKey
    /// The class under which the item was claimed.
    package var workClass: WorkClass
    /// Nil on success.
    package var errorCode: ItemErrorCode?
    /// Title to show in progress frames.
    package var title: String
    /// Whether facts are missing that a follow-up can add to the item's result.
    package var followUp: FollowUpWish
    /// Length of the row in `RecordWork.rows`, in bytes.
    package var rowLength: Int

    package init(
        key: ItemKey, workClass: WorkClass, errorCode: ItemErrorCode?, title: String, followUp: FollowUpWish,
        rowLength: Int
    ) {
        self.key = key
        self.workClass = workClass
        self.errorCode = errorCode
        self.title = title
        self.followUp = followUp
        self.rowLength = rowLength
    }

    /// Reads what is encoded, by hand: a host does this for every item.
    init?(_ json: ByteBuffer) {
        guard let members = ObjectReader(json), let key = members.object("key").flatMap(ItemKey.init),
            let workClass = members.string("workClass").flatMap(WorkClass.init), let title = members.string("title"),
            let followUp = members.string("followUp").flatMap(FollowUpWish.init),
            let rowLength = members.integer("rowLength")
        else { return nil }
        self.init(
            key: key, workClass: workClass, errorCode: nil, title: title, followUp: followUp,
            rowLength: rowLength)
        guard let code = members.string("errorCode") else { return }
        errorCode = ItemErrorCode(rawValue: code)
        if errorCode == nil { return nil }
    }

    static func list(_ json: ByteBuffer) -> [ItemOutcome]? {
        guard let elements = ArrayReader(json)?.elements else { return nil }
        let outcomes = elements.compactMap { ItemOutcome($0) }
        return outcomes.count == elements.count ? outcomes : nil
    }
}
