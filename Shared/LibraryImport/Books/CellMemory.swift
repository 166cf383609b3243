import BookstrackContract

/// A cache of parsed cells, keyed by the cells' bytes: a library has few distinct shelves, statuses and bindings, and each occurs many times.
struct CellMemory<Reading> {
    private static var slots: Int { 64 }
    /// Maximum length of a cached cell in bytes.
    private static var longest: Int { 64 }

    private var cells = [[UInt8]](repeating: [], count: Self.slots)
    private var readings = [Reading?](repeating: nil, count: Self.slots)

    /// The parsed value of a cell, from the cache if it is there.
    mutating func reading(of cell: CellBytes, _ read: (CellBytes) -> Reading) -> Reading {
        guard cell.count <= Self.longest else { return read(cell) }
        let slot = Self.slot(of: cell)
        if let reading = readings[slot], cells[slot].withUnsafeBufferPointer(cell.equals) { return reading }
        let reading = read(cell)
        cells[slot] = Array(cell.bytes)
        readings[slot] = reading
        return reading
    }

    private static func slot(of cell: CellBytes) -> Int {
        var hash = UInt64(truncatingIfNeeded: cell.count)
        for byte in cell.bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(slots - 1))
    }
}

/// The caches of the passes over one file.
struct CellMemories {
    var formats = CellMemory<EditionFormat?>()
    var words = CellMemory<DistinctWords>()
    /// The text of a cell in a status column, and the corresponding status.
    var statuses = CellMemory<(text: String?, status: ReadingStatus?)>()
    private var shelves = CellMemory<ReadingStatus?>()

    /// The status that corresponds to a shelf; nil if there is none.
    mutating func status(ofShelf text: String) -> ReadingStatus? {
        CellBytes.of(text) { cell in shelves.reading(of: cell) { StatusWords.status($0.text) } }
    }
}
