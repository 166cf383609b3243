/// A parsed JSON text (RFC 8259) whose values are read on demand.
///
/// Provider documents are large and mostly uninteresting, and a field of the wrong type must not spoil the others. So
/// the text is indexed once, in one array, and only the fields that are read become strings and numbers.
final class JSONDocument: Sendable {
    /// What one entry of the index describes.
    enum Kind: UInt8 {
        case object, array, string, escapedString, number, literal
    }

    /// A value, or the key of a member, which precedes its value.
    struct Entry {
        let kind: Kind
        /// First byte of the value; of the content for strings.
        let start: Int32
        /// Byte after the value; after the content for strings.
        var end: Int32
        /// The entry after this value and everything inside it.
        var next: Int32
    }

    /// Values nested deeper are refused; no provider goes beyond ten.
    static let deepestNesting = 64

    let bytes: [UInt8]
    let entries: [Entry]

    /// Indexes a text; `nil` when it is not JSON, too deep or longer than 2 GiB.
    init?(_ body: some Sequence<UInt8>) {
        // A copy byte by byte through the sequence's witness would take longer than the parsing.
        let bytes = body.withContiguousStorageIfAvailable { Array($0) } ?? Array(body)
        guard bytes.count < Int(Int32.max) else { return nil }
        var parser = JSONIndexer(bytes: bytes)
        guard parser.parseDocument() else { return nil }
        self.bytes = bytes
        entries = parser.entries
    }

    /// The outermost value.
    var root: JSONNode { JSONNode(document: self, index: 0) }
}
