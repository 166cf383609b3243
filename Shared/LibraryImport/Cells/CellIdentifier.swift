import BookstrackContract

/// The forms of other services' identifiers.
enum CellIdentifier {
    /// Whether a text has the form of Amazon's own identifiers, which begin with a B.
    static func isASIN(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.first == UInt8(ascii: "B")
            && text.utf8.allSatisfy {
                $0.isASCIIDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
            }
    }

    /// The last letter of an Open Library key: W for `OL45804W`, M for `OL7353617M`; nil for anything else.
    static func openLibrary(_ text: String) -> Character? {
        guard text.hasPrefix("OL"), (4..<16).contains(text.utf8.count), let last = text.last,
            last == "W" || last == "M", text.utf8.dropFirst(2).dropLast().allSatisfy(\.isASCIIDigit)
        else { return nil }
        return last
    }
}

extension ImportedIDs {
    /// Stores an identifier from a column with this role; false if the text is not such an identifier. An ISBN in a column of ASINs is accepted but
    /// not stored.
    @discardableResult
    mutating func take(_ text: String, as role: ColumnRole) -> Bool {
        switch role {
        case .goodreadsBookId, .librarythingId:
            // The identifier may also be at the end of a URL, before the words of the title: `…/book/show/5907.The_Hobbit`.
            let start = text.utf8.lastIndex(of: UInt8(ascii: "/")).map { text.utf8.index(after: $0) } ?? text.startIndex
            let digits = Substring(text.utf8[start...].prefix { $0.isASCIIDigit })
            guard !digits.isEmpty, digits.utf8.count <= 12 else { return false }
            if role == .goodreadsBookId { goodreadsBookId = String(digits) } else { librarythingId = String(digits) }
        case .openLibraryWork, .openLibraryEdition:
            let key = text.split(separator: "/").last.map(String.init) ?? ""
            switch CellIdentifier.openLibrary(key) {
            case "W": openLibraryWork = key
            case "M": openLibraryEdition = key
            default: return false
            }
        case .asin:
            // ``RowReader`` takes the ISBN of a printed book.
            guard CellIdentifier.isASIN(text) else { return CellISBN(text).isbn != nil }
            asin = text
        case .googleVolumeId:
            guard text.utf8.count <= 40, !text.contains(" ") else { return false }
            googleVolumeId = text
        default: return false
        }
        return true
    }
}
