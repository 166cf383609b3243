/// Type, size and orientation of an image file, read without decoding pixels: enough to reject an unusable file and to draw boxes around books.
package struct ImageHeader: Sendable, Equatable {
    /// Maximum number of pixels of an accepted image, because a file of a few kilobytes may decompress to gigabytes.
    package static let maxPixels = 100_000_000

    package let type: ImageType
    /// Stored columns and rows, before the orientation is applied.
    package let width: Int
    package let height: Int
    package let orientation: ImageOrientation

    /// Reads a header from the beginning of a file.
    ///
    /// - Parameter file: The file, or its beginning. Cameras write up to about 100 KB of metadata before the dimensions of a JPEG image.
    /// - Throws: ``ImageFault``; `cutOff` if a longer part of the file might help.
    package init(_ file: [UInt8]) throws(ImageFault) {
        guard let type = ImageType(beginning: file) else { throw .unknownType }
        let facts: (width: Int, height: Int, orientation: ImageOrientation)
        switch type {
        case .jpeg: facts = try JPEGFile(file).header()
        case .png: facts = try PNGFile(file).header()
        case .webp: facts = try WebPFile(file).header()
        case .heif: facts = try HEIFFile(file).header()
        }
        guard facts.width > 0, facts.height > 0 else { throw .malformed }
        self.type = type
        (width, height, orientation) = facts
    }

    /// Whether the image has more than ``maxPixels`` pixels.
    package var isTooLarge: Bool {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow || pixels > Self.maxPixels
    }

    /// Width and height as displayed.
    package var shownSize: (width: Int, height: Int) {
        orientation.isTransposed ? (height, width) : (width, height)
    }
}

/// A type of photo file, recognized by the file's first bytes.
package enum ImageType: String, Sendable, CaseIterable {
    case jpeg, png, webp
    /// HEIC and other HEIF: one container (ISO/IEC 23008-12).
    case heif

    /// Number of bytes needed to identify the type.
    package static let prefixLength = 12
    /// Brands of still images; videos have other brands.
    private static let heifBrands = ["heic", "heix", "heim", "heis", "mif1"].map { Array($0.utf8) }

    /// - Parameter bytes: The first ``prefixLength`` bytes of a file, or more.
    /// - Returns: nil for a file of any other type.
    package init?(beginning bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(Self.prefixLength))
        func has(_ signature: [UInt8], at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: signature) }
        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if has(Array("ftyp".utf8), at: 4), Self.heifBrands.contains(where: { has($0, at: 8) }) {
            self = .heif
        } else {
            return nil
        }
    }

    /// The media type, for requests and responses; `image/heic` for every HEIF file.
    package var mediaType: String { self == .heif ? "image/heic" : "image/\(rawValue)" }
}

/// Why an image file cannot be used.
package enum ImageFault: Error, Sendable, Equatable {
    /// The file is not a JPEG, PNG, WebP or HEIF image.
    case unknownType
    /// The file ends early.
    case cutOff
    /// The file violates its format, or uses a feature of the format that is not supported.
    case malformed
}
