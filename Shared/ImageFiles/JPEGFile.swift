/// The segments of a JPEG file (ITU-T T.81 Annex B).
struct JPEGFile {
    struct Segment {
        let marker: UInt8
        /// The segment with its marker; a start of scan also includes the coded picture up to the next marker.
        let range: Range<Int>
        /// The content after the marker and the length.
        let content: ByteReader

        /// Whether this is a frame header of any coding process.
        var isFrame: Bool { (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker) }
        /// The TIFF file in an APP1 segment with EXIF metadata, after `Exif` and two zeros (CIPA DC-008 §4.7.2).
        var exif: ByteReader? {
            let start = content.range.lowerBound
            guard marker == 0xE1, content.has(JPEGFile.exifName, at: start) else { return nil }
            return try? content.part(at: start + 6, count: content.range.count - 6)
        }
    }

    static let exifName = Array("Exif\0\0".utf8)
    private static let endOfImage: UInt8 = 0xD9

    private let file: ByteReader

    init(_ file: [UInt8]) { self.file = ByteReader(file) }

    func header() throws(ImageFault) -> (width: Int, height: Int, orientation: ImageOrientation) {
        var orientation: ImageOrientation?
        var offset = 2
        while let segment = try segment(at: offset) {
            offset = segment.range.upperBound
            if orientation == nil, let exif = segment.exif { orientation = ImageOrientation(exif: exif) }
            guard segment.isFrame else { continue }
            let start = segment.content.range.lowerBound
            let height = try segment.content.number(at: start + 1, 2)
            return (try segment.content.number(at: start + 3, 2), height, orientation ?? .upright)
        }
        throw .malformed
    }

    /// The file without metadata. Only APP segments that define colors are kept. Everything after the picture is also removed, because the pictures
    /// and videos there have their own metadata.
    func withoutMetadata(but orientation: ImageOrientation) throws(ImageFault) -> [ImageFilePiece] {
        var pieces = [ImageFilePiece.kept(0..<2)]
        if orientation != .upright {
            let exif = Self.exifName + orientation.exif
            try pieces.add(.written([0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif))
        }
        var offset = 2
        while let segment = try segment(at: offset) {
            offset = segment.range.upperBound
            if isKept(segment) { try pieces.add(.kept(segment.range)) }
        }
        try pieces.add(.written([0xFF, Self.endOfImage]))
        return pieces
    }

    private func isKept(_ segment: Segment) -> Bool {
        let start = segment.content.range.lowerBound
        return switch segment.marker {
        case 0xE0: segment.content.has(Array("JFIF\0".utf8), at: start)
        case 0xE2: segment.content.has(Array("ICC_PROFILE\0".utf8), at: start)
        case 0xEE: segment.content.has(Array("Adobe".utf8), at: start)
        case 0xE1...0xEF, 0xFE: false
        default: true
        }
    }

    /// Returns the next segment; nil at the end of the image.
    private func segment(at start: Int) throws(ImageFault) -> Segment? {
        guard try file.number(at: start, 1) == 0xFF else { throw .malformed }
        var offset = start + 1
        // Any number of 0xFF may precede a marker (B.1.1.2).
        while try file.number(at: offset, 1) == 0xFF { offset += 1 }
        let marker = UInt8(try file.number(at: offset, 1))
        if marker == Self.endOfImage { return nil }
        guard marker >= 0xC0, !(0xD0...0xD8).contains(marker) else { throw .malformed }
        let length = try file.number(at: offset + 1, 2)
        guard length >= 2 else { throw .malformed }
        let content = try file.part(at: offset + 3, count: length - 2)
        let end = marker == 0xDA ? try endOfScan(from: content.range.upperBound) : content.range.upperBound
        return Segment(marker: marker, range: start..<end, content: content)
    }

    /// The offset of the marker after a coded picture. Within the picture, 0xFF before a zero is a data byte, and restart markers do not end the
    /// picture (B.1.1.5).
    private func endOfScan(from start: Int) throws(ImageFault) -> Int {
        var offset = start
        while let found = file.firstOffset(of: 0xFF, from: offset) {
            let next = try file.number(at: found + 1, 1)
            if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return found }
            offset = found + (next == 0xFF ? 1 : 2)
        }
        throw .cutOff
    }
}
