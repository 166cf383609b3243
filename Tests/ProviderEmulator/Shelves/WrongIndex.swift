import BookIdentifiers

/// The place of a book to answer with instead of the right one: the next one, or for an unknown ISBN any one that its digits pick.
func wrongIndex(for isbn: ISBN, known index: Int?, count: Int) -> Int? {
    guard count > 0 else { return nil }
    guard let index else { return Int(StableHash.of(isbn.isbn13) % UInt64(count)) }
    return count > 1 ? (index + 1) % count : nil
}
