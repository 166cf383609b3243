/// The chunks of a PNG file (https://www.w3.org/TR/png-3/).
struct PNGFile {
    private struct Chunk {
        let name: String
        let range: Range<Int>
        let content: ByteReader
    }

    /// Chunks for the picture itself, its colors and its frames. All other chunks are metadata or private.
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD",
        "pHYs",
        "acTL", "fcTL", "fdAT",
    ]
    private static let signatureLength = 8

    private let file: ByteReader

    init(_ file: [UInt8]) { self.file = ByteReader(file) }

    func header() throws(ImageFault) -> (width: Int, height: Int, orientation: ImageOrientation) {
        let first = try chunk(at: Self.signatureLength)
        guard first.name == "IHDR" else { throw .malformed }
        let start = first.content.range.lowerBound
        let (width, height) = (try first.content.number(at: start, 4), try first.content.number(at: start + 4, 4))
        return (width, height, orientation(from: first.range.upperBound))
    }

    func withoutMetadata(but orientation: ImageOrientation) throws(ImageFault) -> [ImageFilePiece] {
        let first = try chunk(at: Self.signatureLength)
        var pieces = [ImageFilePiece.kept(0..<first.range.upperBound)]
        if orientation != .upright { try pieces.add(.written(Self.chunk("eXIf", orientation.exif))) }
        var offset = first.range.upperBound
        var name = first.name
        while name != "IEND" {
            let chunk = try chunk(at: offset)
            (name, offset) = (chunk.name, chunk.range.upperBound)
            if Self.kept.contains(name) { try pieces.add(.kept(chunk.range)) }
        }
        return pieces
    }

    /// The orientation in the EXIF metadata, which may be before or after the picture (§11.3.4 "eXIf"). If only the beginning of a file is available,
    /// the orientation is found only if it is before the picture.
    private func orientation(from start: Int) -> ImageOrientation {
        var offset = start
        while let chunk = try? chunk(at: offset), chunk.name != "IEND" {
            if chunk.name == "eXIf" { return ImageOrientation(exif: chunk.content) }
            offset = chunk.range.upperBound
        }
        return .upright
    }

    private func chunk(at offset: Int) throws(ImageFault) -> Chunk {
        let length = try file.number(at: offset, 4)
        let content = try file.part(at: offset + 8, count: length)
        let end = try file.part(at: content.range.upperBound, count: 4).range.upperBound
        return Chunk(name: try file.name(at: offset + 4), range: offset..<end, content: content)
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return bigEndian(UInt32(content.count)) + named + bigEndian(checksum(named))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// CRC-32 (Annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}
