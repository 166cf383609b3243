/// Removes a photo's metadata, such as location, time and camera, before the photo is passed on. The orientation and the color profile are kept.
package enum ImageMetadata {
    /// The pieces of a photo without metadata. Pixels are copied unchanged, so the cost depends only on the file size.
    ///
    /// In JPEG, PNG and WebP files, all segments or chunks except those for the picture and its colors are removed, as is everything after the
    /// picture. In HEIF files, metadata items, such as EXIF and XMP, and unknown boxes at the top level are emptied.
    ///
    /// - Returns: The non-empty pieces, in order. Adjacent ranges of the file are a single piece.
    /// - Throws: ``ImageFault``: an unreadable file must not be sent.
    package static func removal(from file: [UInt8]) throws(ImageFault) -> [ImageFilePiece] {
        let header = try ImageHeader(file)
        return switch header.type {
        case .jpeg: try JPEGFile(file).withoutMetadata(but: header.orientation)
        case .png: try PNGFile(file).withoutMetadata(but: header.orientation)
        case .webp: try WebPFile(file).withoutMetadata(but: header.orientation)
        case .heif: try HEIFFile(file).withoutMetadata()
        }
    }
}

/// A piece of the changed file.
package enum ImageFilePiece: Sendable, Equatable {
    /// Maximum number of pieces of a file; no camera writes a file that needs this many.
    fileprivate static let maxPieces = 65_536

    /// A range of bytes in the original.
    case kept(Range<Int>)
    /// New bytes.
    case written([UInt8])
    /// This many zeros.
    case zeros(Int)

    /// Length of the piece in bytes.
    package var count: Int {
        switch self {
        case .kept(let range): range.count
        case .written(let bytes): bytes.count
        case .zeros(let count): count
        }
    }
}

extension [ImageFilePiece] {
    /// Adds a piece, unless it is empty. A range that continues the last piece extends it.
    ///
    /// - Throws: `ImageFault.malformed` if there are too many pieces.
    mutating func add(_ piece: ImageFilePiece) throws(ImageFault) {
        guard piece.count > 0 else { return }
        if case .kept(let range) = piece, case .kept(let before) = last, before.upperBound == range.lowerBound {
            self[endIndex - 1] = .kept(before.lowerBound..<range.upperBound)
            return
        }
        guard count < ImageFilePiece.maxPieces else { throw .malformed }
        append(piece)
    }

    /// Assembles the changed file from the original and these pieces.
    package func joined(from original: [UInt8]) -> [UInt8] {
        var file: [UInt8] = []
        file.reserveCapacity(reduce(0) { $0 + $1.count })
        for piece in self {
            switch piece {
            case .kept(let range): file += original[range]
            case .written(let bytes): file += bytes
            case .zeros(let count): file += repeatElement(0, count: count)
            }
        }
        return file
    }
}
