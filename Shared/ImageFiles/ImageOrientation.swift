/// How stored pixels are rotated and mirrored for display; the raw value is that of the EXIF tag 0x0112 (CIPA DC-008 §4.6.4).
package enum ImageOrientation: Int, Sendable, CaseIterable {
    case upright = 1
    case mirrored, turnedHalf, mirroredTurnedHalf, mirroredTurnedLeft, turnedRight, mirroredTurnedRight, turnedLeft

    /// Whether rows and columns are swapped.
    package var isTransposed: Bool { quarterTurns % 2 == 1 }

    /// Whether the picture is mirrored horizontally before it is rotated.
    private var isMirrored: Bool {
        [.mirrored, .mirroredTurnedHalf, .mirroredTurnedLeft, .mirroredTurnedRight].contains(self)
    }

    /// Clockwise quarter turns, from 0 to 3.
    private var quarterTurns: Int {
        switch self {
        case .upright, .mirrored: 0
        case .turnedRight, .mirroredTurnedRight: 1
        case .turnedHalf, .mirroredTurnedHalf: 2
        case .turnedLeft, .mirroredTurnedLeft: 3
        }
    }

    private init(isMirrored: Bool, quarterTurns: Int) {
        self =
            switch (isMirrored, (quarterTurns % 4 + 4) % 4) {
            case (false, 1): .turnedRight
            case (false, 2): .turnedHalf
            case (false, 3): .turnedLeft
            case (false, _): .upright
            case (true, 1): .mirroredTurnedRight
            case (true, 2): .mirroredTurnedHalf
            case (true, 3): .mirroredTurnedLeft
            case (true, _): .mirrored
            }
    }

    /// This orientation, rotated further clockwise.
    func turned(quarters: Int) -> Self { Self(isMirrored: isMirrored, quarterTurns: quarterTurns + quarters) }

    /// This orientation, then mirrored horizontally.
    func thenMirrored() -> Self { Self(isMirrored: !isMirrored, quarterTurns: -quarterTurns) }
}

// The only EXIF field that is read, and the only one that is kept.
extension ImageOrientation {
    /// The orientation tag, and the type code for a 16-bit number (TIFF 6.0 §2).
    private static let tag = 0x0112
    private static let shortType = 3

    /// Reads the first directory of EXIF metadata, which is a TIFF file. No further directory is read, so directories cannot form a loop.
    ///
    /// - Returns: `upright` if there is no orientation or the metadata is damaged: the photo can be shown without it.
    init(exif: ByteReader) {
        self = (try? Self.read(exif)) ?? .upright
    }

    private static func read(_ exif: ByteReader) throws(ImageFault) -> Self? {
        let start = exif.range.lowerBound
        let order: ByteReader.Order = exif.has(Array("II*\0".utf8), at: start) ? .littleEndian : .bigEndian
        guard order == .littleEndian || exif.has(Array("MM\0*".utf8), at: start) else { throw .malformed }
        let directory = start + (try exif.number(at: start + 4, 4, order))
        for index in 0..<(try exif.number(at: directory, 2, order)) {
            let entry = directory + 2 + 12 * index
            guard try exif.number(at: entry, 2, order) == tag else { continue }
            guard try exif.number(at: entry + 2, 2, order) == shortType else { throw .malformed }
            return Self(rawValue: try exif.number(at: entry + 8, 2, order))
        }
        return nil
    }

    /// EXIF metadata with only the orientation: a TIFF file with one entry.
    var exif: [UInt8] {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(rawValue), 0, 0]
        return Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
    }
}
