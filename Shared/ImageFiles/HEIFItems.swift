/// The items of a HEIF file: pictures and their metadata (ISO/IEC 14496-12 §8.11).
enum HEIFItems {
    /// Maximum total number of extents, the parts into which items' contents are divided. The entry of an extent may take no bytes in its box, so the
    /// length of the box does not limit their number.
    private static let maxExtents = 65_536

    /// The item number of the picture (§8.11.4).
    static func primary(_ box: ByteReader) throws(ImageFault) -> Int {
        let start = box.range.lowerBound
        return try box.number(at: start + 4, try box.number(at: start, 1) == 0 ? 2 : 4)
    }

    /// The properties of an item, as positions from 1 in the property container (ISO/IEC 23008-12 §9.3).
    static func properties(of wanted: Int, _ box: ByteReader) throws(ImageFault) -> [Int] {
        var cursor = Cursor(box)
        let version = try cursor.next(1)
        let flags = try cursor.next(3)
        for _ in 0..<(try cursor.next(4)) {
            let item = try cursor.next(version == 0 ? 2 : 4)
            var found: [Int] = []
            for _ in 0..<(try cursor.next(1)) {
                found.append(flags & 1 == 0 ? try cursor.next(1) & 0x7F : try cursor.next(2) & 0x7FFF)
            }
            if item == wanted { return found }
        }
        return []
    }

    /// The numbers of the items with certain types. Metadata has the type `Exif`, `mime` (XMP) or `uri ` (§8.11.6).
    static func items(
        of types: Set<String>, _ box: ByteReader, entries: (ByteReader) throws(ImageFault) -> [HEIFFile.Box]
    ) throws(ImageFault) -> Set<Int> {
        var cursor = Cursor(box)
        let version = try cursor.next(1)
        _ = try cursor.next(3)
        _ = try cursor.next(version == 0 ? 2 : 4)
        var found: Set<Int> = []
        for entry in try entries(cursor.rest) where entry.name == "infe" {
            var cursor = Cursor(entry.content)
            let version = try cursor.next(1)
            // Earlier versions do not have item types.
            guard version >= 2 else { throw .malformed }
            _ = try cursor.next(3)
            let item = try cursor.next(version == 2 ? 2 : 4)
            _ = try cursor.next(2)
            if types.contains(try entry.content.name(at: cursor.offset)) { found.insert(item) }
        }
        return found
    }

    /// The file ranges of the items' contents (§8.11.3).
    ///
    /// - Parameter data: The content of `idat`, to which the offsets of method 1 refer (§8.11.11).
    static func extents(
        of items: Set<Int>, _ box: ByteReader, in file: ByteReader, data: ByteReader?
    ) throws(ImageFault) -> [Range<Int>] {
        var cursor = Cursor(box)
        let version = try cursor.next(1)
        _ = try cursor.next(3)
        let sizes = try cursor.next(2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy([0, 4, 8].contains) else { throw .malformed }
        var found: [Range<Int>] = []
        var extents = 0
        for _ in 0..<(try cursor.next(version < 2 ? 2 : 4)) {
            let item = try cursor.next(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try cursor.next(2) & 15
            _ = try cursor.next(2)
            let base = try cursor.next(baseSize)
            let count = try cursor.next(2)
            extents += count
            guard extents <= maxExtents else { throw .malformed }
            for _ in 0..<count {
                _ = try cursor.next(indexSize)
                let (offset, length) = (try cursor.next(offsetSize), try cursor.next(lengthSize))
                guard items.contains(item) else { continue }
                // Method 0 means an offset from the start of the file, and method 1 from the start of `idat`. Method 2, from the start of another
                // item, is not supported.
                guard let place = method == 0 ? file : (method == 1 ? data : nil) else { throw .malformed }
                let (sum, overflow) = base.addingReportingOverflow(offset)
                let (start, further) = sum.addingReportingOverflow(place.range.lowerBound)
                guard !overflow, !further else { throw .cutOff }
                found.append(
                    try place.part(at: start, count: length == 0 ? place.range.upperBound - start : length).range)
            }
        }
        return found
    }

    /// Reads one number after another.
    private struct Cursor {
        private let box: ByteReader
        private(set) var offset: Int

        init(_ box: ByteReader) { (self.box, offset) = (box, box.range.lowerBound) }

        /// The unread remainder.
        var rest: ByteReader {
            get throws(ImageFault) { try box.part(at: offset, count: box.range.upperBound - offset) }
        }

        /// Reads a number of `count` bytes; 0 if `count` is 0.
        mutating func next(_ count: Int) throws(ImageFault) -> Int {
            defer { offset += count }
            return try box.number(at: offset, count)
        }
    }
}
