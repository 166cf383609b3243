/// Small image files with private metadata. Their headers resemble those that cameras write; their pixels are dummies.
package enum SampleImage: CaseIterable, Sendable {
    case jpeg, progressiveJPEG, png, lossyWebP, losslessWebP, extendedWebP, heic

    /// Strings that must not be in a photo that is sent to other services: a maker's note, a location, a comment.
    package static let secrets = ["MAKERNOTE-4711", "GPS-52.5200N", "taken at home"]

    /// An image of 640 × 480 pixels, to be rotated clockwise by 90° if the format can express that.
    package var file: [UInt8] {
        switch self {
        case .jpeg: Self.jpeg(frame: 0xC0)
        case .progressiveJPEG: Self.jpeg(frame: 0xC2)
        case .png: Self.pngFile
        case .lossyWebP: Self.webP([("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0xE0, 0x01, 1, 2, 3, 4])])
        case .losslessWebP: Self.webP([("VP8L", [0x2F, 0x7F, 0xC2, 0x77, 0x00, 1, 2, 3])])
        case .extendedWebP:
            Self.webP([
                ("VP8X", [0x0C, 0, 0, 0, 0x7F, 0x02, 0, 0xDF, 0x01, 0]),
                ("VP8L", [0x2F, 0x7F, 0xC2, 0x77, 0x00, 1, 2]),
                ("EXIF", Self.exif(6)), ("XMP ", Self.text(2)),
            ])
        case .heic: Self.heicFile
        }
    }

    /// The orientation of ``file`` as an EXIF number. The HEIC file states it in its `irot` property; its EXIF states 1.
    package var orientation: Int { self == .lossyWebP || self == .losslessWebP ? 1 : 6 }

    /// A TIFF file with an orientation, a maker's note and a location.
    package static func exif(_ orientation: UInt8) -> [UInt8] {
        let entries: [[UInt8]] = [
            [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
            [0x92, 0x7C, 0, 7] + big(text(0).count) + big(38),
            [0x88, 0x25, 0, 4, 0, 0, 0, 1] + big(38 + text(0).count),
        ]
        // The directory ends with a link to itself, as in a damaged or malicious file.
        return Array("MM\0*".utf8) + big(8) + [0, 3] + entries.joined() + big(8) + text(0) + text(1)
    }

    private static func text(_ index: Int) -> [UInt8] { Array(secrets[index].utf8) }

    private static func jpeg(frame: UInt8) -> [UInt8] {
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker] + big(content.count + 2).suffix(2) + content
        }
        let frameHeader: [UInt8] = [8, 0x01, 0xE0, 0x02, 0x80, 1, 1, 0x11, 0]
        let metadata = segment(0xE1, Array("Exif\0\0".utf8) + exif(6)) + segment(0xFE, text(2)) + segment(0xED, text(1))
        let colors =
            segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
            + segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1])
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
        let picture = segment(0xDB, [UInt8](repeating: 1, count: 65)) + segment(frame, frameHeader) + scan + scan
        return [0xFF, 0xD8] + colors + metadata + picture + [0xFF, 0xD9] + text(1)
    }

    private static var pngFile: [UInt8] {
        // Chunk checksums are not verified.
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            big(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
        }
        let chunks = [
            ("IHDR", big(640) + big(480) + [8, 2, 0, 0, 0]), ("eXIf", exif(6)), ("tEXt", text(2)), ("sRGB", [0]),
            ("IDAT", [1, 2, 3]), ("iTXt", text(1)), ("IEND", []),
        ]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunks.flatMap(chunk) + text(0)
    }

    private static func webP(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        let body = chunks.flatMap { name, content in
            Array(name.utf8) + big(content.count).reversed() + content + [UInt8](repeating: 0, count: content.count % 2)
        }
        return Array("RIFF".utf8) + big(body.count + 4).reversed() + Array("WEBP".utf8) + body + text(1)
    }

    private static var heicFile: [UInt8] {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] { big(content.count + 8) + Array(name.utf8) + content }
        func item(_ number: UInt8, _ type: String) -> [UInt8] {
            box("infe", [2, 0, 0, 0, 0, number, 0, 0] + Array(type.utf8) + [0])
        }
        let properties = box("ispe", [0, 0, 0, 0] + big(640) + big(480)) + box("irot", [3])
        let exif = [0, 0, 0, 0] + exif(1)
        func meta(exifAt offset: Int) -> [UInt8] {
            let location = [0, 2] + [0, 0] + [0, 1] + big(offset) + big(exif.count)
            let picture = [0, 1] + [0, 0] + [0, 1] + big(offset + exif.count) + big(3)
            return box(
                "meta",
                [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 1])
                    + box("iinf", [0, 0, 0, 0, 0, 2] + item(1, "hvc1") + item(2, "Exif"))
                    + box(
                        "iprp", box("ipco", properties) + box("ipma", [0, 0, 0, 0] + big(1) + [0, 1, 2, 0x81, 0x82]))
                    + box("iloc", [0, 0, 0, 0, 0x44, 0, 0, 2] + picture + location))
        }
        let start = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
        let length = start.count + meta(exifAt: 0).count + 8
        return start + meta(exifAt: length) + box("mdat", exif + [1, 2, 3]) + box("uuid", text(2))
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
