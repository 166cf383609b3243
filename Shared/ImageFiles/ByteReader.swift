/// Reads numbers from a section of a file. Reading outside the section throws `ImageFault.cutOff`.
struct ByteReader {
    enum Order {
        case bigEndian, littleEndian
    }

    private let bytes: [UInt8]
    /// The section, as file offsets.
    let range: Range<Int>

    init(_ bytes: [UInt8]) { (self.bytes, range) = (bytes, bytes.indices) }

    private init(_ bytes: [UInt8], _ range: Range<Int>) { (self.bytes, self.range) = (bytes, range) }

    /// Returns a smaller section.
    ///
    /// - Parameter offset: Offset in the file.
    func part(at offset: Int, count: Int) throws(ImageFault) -> ByteReader {
        guard offset >= range.lowerBound, count >= 0, offset <= range.upperBound, count <= range.upperBound - offset
        else {
            throw .cutOff
        }
        return ByteReader(bytes, offset..<(offset + count))
    }

    /// Reads an unsigned number.
    ///
    /// - Parameters:
    ///   - offset: Offset in the file.
    ///   - count: Number of bytes, at most 8.
    func number(at offset: Int, _ count: Int, _ order: Order = .bigEndian) throws(ImageFault) -> Int {
        let digits = try part(at: offset, count: count).range
        var number: UInt64 = 0
        for index in digits {
            number = number << 8 | UInt64(bytes[order == .bigEndian ? index : digits.upperBound - 1 - (index - offset)])
        }
        guard let number = Int(exactly: number) else { throw .cutOff }
        return number
    }

    /// Reads the four-letter name of a chunk, box or item.
    func name(at offset: Int) throws(ImageFault) -> String {
        String(decoding: bytes[try part(at: offset, count: 4).range], as: UTF8.self)
    }

    /// Whether the bytes at an offset equal `wanted`.
    func has(_ wanted: some Collection<UInt8>, at offset: Int) -> Bool {
        guard let found = try? part(at: offset, count: wanted.count) else { return false }
        return bytes[found.range].elementsEqual(wanted)
    }

    /// The offset of the first occurrence of a byte at or after an offset; nil if there is none.
    func firstOffset(of byte: UInt8, from offset: Int) -> Int? {
        guard range.contains(offset) else { return nil }
        return bytes[offset..<range.upperBound].firstIndex(of: byte)
    }
}
