/// A gray image as a baseline JPEG (ITU-T T.81). All blocks have the same shade, so even a large image takes up only a few kilobytes.
struct SmallJPEG: Equatable, Sendable {
    let bytes: [UInt8]

    /// - Parameters:
    ///   - shade: Distance from middle gray, 1 to 127.
    ///   - comment: Stored in the file, so images of the same shade differ.
    init(width: Int, height: Int, shade: Int, comment: String) {
        let category = Int.bitWidth - shade.leadingZeroBitCount
        let blocks = ((width + 7) / 8) * ((height + 7) / 8)
        bytes =
            [0xFF, 0xD8]
            + Self.segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
            + Self.segment(0xFE, Array(comment.utf8))
            + Self.segment(0xDB, [0] + Array(repeating: 8, count: 64))
            + Self.segment(0xC0, [8] + Self.word(height) + Self.word(width) + [1, 1, 0x11, 0])
            + Self.segment(0xC4, [0x00] + Self.counts([1, 1]) + [0, UInt8(category)])
            + Self.segment(0xC4, [0x10] + Self.counts([1]) + [0])
            + Self.segment(0xDA, [1, 1, 0, 0, 63, 0])
            + Self.scan(shade: shade, category: category, blocks: blocks)
            + [0xFF, 0xD9]
    }

    /// The coded blocks. The first block's difference is coded as `10` followed by its bits; no difference and the end of a block are both coded as
    /// `0`. Therefore, no byte is 0xFF, which would have to be escaped because markers start with it.
    private static func scan(shade: Int, category: Int, blocks: Int) -> [UInt8] {
        var bits = [true, false] + (0..<category).reversed().map { shade >> $0 & 1 == 1 }
        bits += Array(repeating: false, count: 1 + (blocks - 1) * 2)
        while !bits.count.isMultiple(of: 8) { bits.append(true) }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + word(content.count + 2) + content
    }

    private static func word(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    /// The number of codes of each of the sixteen lengths.
    private static func counts(_ first: [UInt8]) -> [UInt8] {
        first + Array(repeating: 0, count: 16 - first.count)
    }
}
