import BookstrackContract
import SuiteMethods

/// Room for items in the answer to a claim, which has to fit one RPC frame of 1 MiB (Services/README.md "JSON-RPC").
struct ClaimRoom {
    /// Most bytes of an answer's items.
    static let bytes = 900 << 10
    /// What an item has around its query: names, job identifier, class, client and numbers.
    private static let bytesAroundQuery = 320

    private var left = bytes
    private var isUntouched = true
    /// Whether an item was refused; those behind it do not go before it.
    private(set) var isFull = false

    /// Takes an item's room; false when it has to wait for the next claim. The first one always goes, so that none waits for ever.
    mutating func take(_ query: BookQuery) -> Bool {
        let length = ItemPages.jsonLength(of: query) + Self.bytesAroundQuery
        guard isUntouched || length <= left, !isFull else {
            isFull = true
            return false
        }
        isUntouched = false
        left -= length
        return true
    }
}
