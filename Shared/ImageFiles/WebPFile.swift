/// The chunks of a WebP file (RFC 9649 §2).
struct WebPFile {
    private struct Chunk {
        let name: String
        let range: Range<Int>
        let content: ByteReader
    }

    private static let kept: Set<String> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]
    private static let firstChunk = 12
    /// The `VP8X` flags for EXIF and XMP metadata.
    private static let exifFlag: UInt8 = 0x08
    private static let xmpFlag: UInt8 = 0x04

    private let file: ByteReader

    init(_ file: [UInt8]) { self.file = ByteReader(file) }

    func header() throws(ImageFault) -> (width: Int, height: Int, orientation: ImageOrientation) {
        let name = try file.name(at: Self.firstChunk)
        // The size is at the start of the picture, which may be longer than the bytes read.
        let start = Self.firstChunk + 8
        let length = try file.number(at: Self.firstChunk + 4, 4, .littleEndian)
        guard length >= (name == "VP8L" ? 5 : 10) else { throw .malformed }
        switch name {
        case "VP8X":
            let width = try file.number(at: start + 4, 3, .littleEndian) + 1
            return (width, try file.number(at: start + 7, 3, .littleEndian) + 1, orientation)
        case "VP8L":
            guard try file.number(at: start, 1) == 0x2F else { throw .malformed }
            let bits = try file.number(at: start + 1, 4, .littleEndian)
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1, .upright)
        case "VP8 ":
            guard try file.number(at: start + 3, 3) == 0x9D012A else { throw .malformed }
            let width = try file.number(at: start + 6, 2, .littleEndian) & 0x3FFF
            return (width, try file.number(at: start + 8, 2, .littleEndian) & 0x3FFF, .upright)
        default: throw .malformed
        }
    }

    func withoutMetadata(but orientation: ImageOrientation) throws(ImageFault) -> [ImageFilePiece] {
        // Bytes after the declared end are not part of the file.
        let body = try file.part(at: 8, count: try file.number(at: 4, 4, .littleEndian))
        // The length is filled in once it is known.
        var pieces: [ImageFilePiece] = [.kept(0..<4), .written(Self.littleEndian(0)), .kept(8..<Self.firstChunk)]
        var offset = Self.firstChunk
        repeat {
            let chunk = try Self.chunk(of: body, at: offset)
            offset = chunk.range.upperBound
            if chunk.name == "VP8X" {
                let start = chunk.content.range.lowerBound
                let flags = UInt8(try chunk.content.number(at: start, 1)) & ~(Self.exifFlag | Self.xmpFlag)
                try pieces.add(.kept(chunk.range.lowerBound..<start))
                try pieces.add(.written([orientation == .upright ? flags : flags | Self.exifFlag]))
                try pieces.add(.kept((start + 1)..<chunk.range.upperBound))
            } else if Self.kept.contains(chunk.name) {
                try pieces.add(.kept(chunk.range))
            }
        } while offset < body.range.upperBound
        if orientation != .upright {
            let exif = orientation.exif
            try pieces.add(.written(Array("EXIF".utf8) + Self.littleEndian(exif.count) + exif))
        }
        pieces[1] = .written(Self.littleEndian(pieces.reduce(-8) { $0 + $1.count }))
        return pieces
    }

    private var orientation: ImageOrientation {
        var offset = Self.firstChunk
        while let chunk = try? Self.chunk(of: file, at: offset) {
            if chunk.name == "EXIF" {
                let start = chunk.content.range.lowerBound
                // Some programs write the JPEG segment's name before the metadata.
                let skipped = chunk.content.has(JPEGFile.exifName, at: start) ? JPEGFile.exifName.count : 0
                let exif = try? chunk.content.part(at: start + skipped, count: chunk.content.range.count - skipped)
                return exif.map(ImageOrientation.init(exif:)) ?? .upright
            }
            offset = chunk.range.upperBound
        }
        return .upright
    }

    /// The chunk that begins at `offset`. Chunks are padded to an even length.
    private static func chunk(of body: ByteReader, at offset: Int) throws(ImageFault) -> Chunk {
        let content = try body.part(at: offset + 8, count: try body.number(at: offset + 4, 4, .littleEndian))
        let end = min(content.range.upperBound + content.range.count % 2, body.range.upperBound)
        return Chunk(name: try body.name(at: offset), range: offset..<end, content: content)
    }

    private static func littleEndian(_ number: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
