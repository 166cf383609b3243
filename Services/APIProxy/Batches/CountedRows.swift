import BookstrackContract

/// Rows that were kept, and how many there were.
struct CountedRows {
    var rows: [BookQuery] = []
    var count = 0
}
