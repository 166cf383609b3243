package import BookstrackContract

/// Cuts a job's items into lists that fit an RPC frame (Services/README.md "JSON-RPC").
package enum ItemPages {
    /// Bytes of items in one frame; leaves room below 1 MiB for the call around them.
    package static let pageBytes = 960 * 1_024

    /// The items in order, in as few pages as fit.
    package static func split(_ items: [BookQuery], pageBytes: Int = pageBytes) -> [[BookQuery]] {
        var pages: [[BookQuery]] = []
        var page: [BookQuery] = []
        var size = 0
        for item in items {
            let length = jsonLength(of: item)
            if size + length > pageBytes, !page.isEmpty {
                pages.append(page)
                page = []
                size = 0
            }
            page.append(item)
            size += length
        }
        return pages + [page]
    }

    /// An upper bound of the item's JSON text and the comma behind it.
    package static func jsonLength(of item: BookQuery) -> Int {
        let texts = [item.title, item.author, item.isbn, item.workId].compactMap(\.self)
        // Braces, commas, and for each member its quoted name of at most 6 letters, a colon and quotes.
        return texts.reduce(3) { $0 + 12 + escapedLength(of: $1) }
    }

    private static func escapedLength(of text: String) -> Int {
        text.utf8.reduce(0) { length, byte in
            switch byte {
            case 0..<0x20: length + 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): length + 2
            default: length + 1
            }
        }
    }
}
