import ImageFiles
import TestSupport
import Testing

/// Untrusted photos, in which every field of a header may be wrong. A file is either rejected with a fault or read, and memory outside it is never
/// accessed.
@Suite("Untrusted image files")
struct DamagedImageTests {
    private func fault(_ file: [UInt8]) -> ImageFault? {
        do {
            _ = try ImageHeader(file)
            return nil
        } catch {
            return error
        }
    }

    private static let jpegStart: [UInt8] = [0xFF, 0xD8]
    private static let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0x01, 0xE0, 0x02, 0x80, 1, 1, 0x11, 0]

    @Test("any number of fill bytes can precede a marker")
    func fillBytes() throws {
        let file = Self.jpegStart + [0xFF, 0xFF, 0xFF] + Self.frame
        #expect(try ImageHeader(file).width == 640)
    }

    @Test(
        "a JPEG's size is that of its first frame, for every coding process",
        arguments: [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF] as [UInt8])
    func frames(marker: UInt8) throws {
        var frame = Self.frame
        frame[1] = marker
        let header = try ImageHeader(Self.jpegStart + frame)
        #expect(header.width == 640)
        #expect(header.height == 480)
    }

    @Test("a JPEG's tables are not mistaken for its frame", arguments: [0xC4, 0xC8, 0xCC, 0xDB, 0xDD] as [UInt8])
    func tables(marker: UInt8) throws {
        let table: [UInt8] = [0xFF, marker, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
        #expect(try ImageHeader(Self.jpegStart + table + Self.frame).width == 640)
    }

    @Test(
        "a JPEG with broken segments is rejected",
        arguments: [
            ([0xFF, 0xE0, 0, 1], ImageFault.malformed), ([0xFF, 0xE0, 0, 0], .malformed), ([0x00, 0xC0], .unknownType),
            ([0xFF, 0xD9], .malformed), ([0xFF, 0x01, 0, 2], .malformed), ([0xFF, 0xD8], .malformed),
            ([0xFF, 0xE0, 0xFF, 0xFF], .cutOff), ([0xFF, 0xC0, 0, 4, 8, 1], .cutOff), ([0xFF], .cutOff),
            ([0xFF, 0xFF], .cutOff),
        ] as [([UInt8], ImageFault)])
    func brokenSegments(segment: [UInt8], fault: ImageFault) {
        #expect(self.fault(Self.jpegStart + segment) == fault)
    }

    @Test("an image with no width or height is rejected", arguments: [5, 7])
    func noSize(offset: Int) {
        var frame = Self.frame
        frame[offset] = 0
        frame[offset + 1] = 0
        #expect(fault(Self.jpegStart + frame) == .malformed)
    }

    private func exif(_ bytes: [UInt8]) throws -> ImageOrientation {
        let content = Array("Exif\0\0".utf8) + bytes
        let segment = [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
        return try ImageHeader(Self.jpegStart + segment + Self.frame).orientation
    }

    @Test("an orientation is read in both byte orders", arguments: 1...8)
    func byteOrders(orientation: Int) throws {
        let number = UInt8(orientation)
        let big = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, number, 0, 0, 0, 0, 0, 0]
        let little =
            Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, number, 0, 0, 0, 0, 0, 0, 0]
        #expect(try exif(big).rawValue == orientation)
        #expect(try exif(little).rawValue == orientation)
    }

    @Test(
        "metadata with no valid orientation leaves a photo upright",
        arguments: [
            [], Array("MM\0*".utf8), Array("XX\0*".utf8) + [0, 0, 0, 8], Array("MM\0*".utf8) + [0x7F, 0, 0, 0],
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 0],
            // A wrong type, orientations out of range, and a directory that claims more entries than it has.
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 4, 0, 0, 0, 1, 0, 0, 0, 6],
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 9, 0, 0],
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0],
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0xFF, 0xFF, 0x01, 0x0F, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0],
        ] as [[UInt8]])
    func noOrientation(bytes: [UInt8]) throws {
        #expect(try exif(bytes) == .upright)
    }

    @Test("the first of several metadata blocks is used")
    func firstMetadata() throws {
        let one = SampleImage.exif(6)
        let other = SampleImage.exif(3)
        let segments = [one, other].flatMap { exif -> [UInt8] in
            let content = Array("Exif\0\0".utf8) + exif
            return [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
        }
        #expect(try ImageHeader(Self.jpegStart + segments + Self.frame).orientation == .turnedRight)
    }

    @Test(
        "an orientation determines whether rows and columns are swapped",
        arguments: [(1, false), (2, false), (3, false), (4, false), (5, true), (6, true), (7, true), (8, true)])
    func transposed(orientation: Int, isTransposed: Bool) throws {
        #expect(try #require(ImageOrientation(rawValue: orientation)).isTransposed == isTransposed)
    }

    @Test("a PNG that does not start with its header chunk is rejected")
    func pngWithoutHeader() {
        var file = SampleImage.png.file
        file.replaceSubrange(12..<16, with: Array("IDAT".utf8))
        #expect(fault(file) == .malformed)
    }

    @Test("a PNG with a chunk longer than the file is reported as truncated")
    func longChunk() {
        var file = SampleImage.png.file
        file.replaceSubrange(8..<12, with: [0x7F, 0xFF, 0xFF, 0xFF])
        #expect(fault(file) == .cutOff)
    }

    @Test(
        "a WebP file with a broken image chunk is rejected",
        arguments: [
            // A chunk that is too short, a missing start code, a missing signature, and a different first chunk.
            (SampleImage.lossyWebP, 16, [9, 0, 0, 0]), (.lossyWebP, 23, [0, 0, 0]), (.losslessWebP, 20, [0x2E]),
            (.losslessWebP, 16, [4, 0, 0, 0]), (.extendedWebP, 16, [9, 0, 0, 0]),
            (.extendedWebP, 12, [0x41, 0x4C, 0x50, 0x48]),
        ] as [(SampleImage, Int, [UInt8])])
    func brokenWebP(image: SampleImage, offset: Int, bytes: [UInt8]) {
        var file = image.file
        file.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        #expect(fault(file) == .malformed)
    }

    @Test("a WebP image is at most 16 384 pixels wide, or 16 777 216 in the extended format")
    func largestWebP() throws {
        var lossless = SampleImage.losslessWebP.file
        lossless.replaceSubrange(21..<25, with: [0xFF, 0xFF, 0xFF, 0x0F])
        #expect(try ImageHeader(lossless).width == 16_384)
        #expect(try ImageHeader(lossless).height == 16_384)
        var extended = SampleImage.extendedWebP.file
        extended.replaceSubrange(24..<30, with: Array(repeating: 0xFF, count: 6))
        let header = try ImageHeader(extended)
        #expect(header.width == 16_777_216)
        #expect(header.isTooLarge)
    }

    @Test("a HEIF file that lacks a required box is rejected", arguments: ["meta", "pitm", "iprp", "ipco", "ispe"])
    func missingBox(name: String) throws {
        var file = SampleImage.heic.file
        let place = try #require(file.indices.first { file[$0...].starts(with: Array(name.utf8)) })
        file.replaceSubrange(place..<(place + 4), with: Array("xxxx".utf8))
        #expect(fault(file) != nil)
    }

    @Test("a box that is shorter than its own header is rejected", arguments: [2, 7] as [UInt8])
    func shortBox(length: UInt8) throws {
        var file = SampleImage.heic.file
        let place = try #require(file.indices.first { file[$0...].starts(with: Array("meta".utf8)) })
        file.replaceSubrange((place - 4)..<place, with: [0, 0, 0, length])
        #expect(fault(file) == .malformed)
    }

    @Test("a HEIF file whose picture names a property that does not exist is rejected")
    func noProperties() throws {
        var file = SampleImage.heic.file
        // Empties the property box `ipco` and turns its contents into a `free` box.
        let place = try #require(file.indices.first { file[$0...].starts(with: Array("ipco".utf8)) })
        file.replaceSubrange((place + 4)..<(place + 12), with: [0, 0, 0, file[place - 1] - 8] + Array("free".utf8))
        file[place - 1] = 8
        #expect(fault(file) == .malformed)
    }

    @Test("a HEIF file whose items claim millions of parts without bytes for them is rejected")
    func emptyExtents() throws {
        var file = SampleImage.heic.file
        let place = try #require(file.indices.first { file[$0...].starts(with: Array("iloc".utf8)) })
        let length = Int(file[place - 1])
        // Offsets and lengths have a size of zero bytes, so each item takes six: its ID, its data reference and its
        // number of parts.
        let items = (0..<((length - 16) / 6)).flatMap { _ in [0, 1, 0, 0, 0xFF, 0xFF] as [UInt8] }
        file.replaceSubrange((place + 8)..<(place + 12 + items.count), with: [0, 0, 0, UInt8(items.count / 6)] + items)
        #expect(throws: ImageFault.malformed) { try ImageMetadata.removal(from: file) }
    }

    @Test("a file with one byte changed is read or rejected, and removing its metadata succeeds or fails cleanly")
    func anyByte() {
        for image in SampleImage.allCases {
            for index in image.file.indices {
                for byte: UInt8 in [0x00, 0x01, 0x7F, 0xFF] {
                    var file = image.file
                    file[index] = byte
                    guard let pieces = try? ImageMetadata.removal(from: file) else { continue }
                    let cleaned = pieces.joined(from: file)
                    #expect(cleaned.count <= file.count + 64)
                }
            }
        }
    }

    @Test(
        "a file's type is recognized by its first bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF], ImageType.jpeg, "image/jpeg"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png, "image/png"),
            (Array("RIFF\0\0\0\0WEBP".utf8), .webp, "image/webp"),
            (Array("\0\0\0\u{18}ftypheic".utf8), .heif, "image/heic"),
            (Array("\0\0\0\u{18}ftypmif1".utf8), .heif, "image/heic"),
        ] as [([UInt8], ImageType, String)])
    func types(bytes: [UInt8], type: ImageType, mediaType: String) {
        #expect(ImageType(beginning: bytes) == type)
        #expect(type.mediaType == mediaType)
    }

    @Test(
        "files of other types have no image type",
        arguments: [
            "", "GIF89a", "BM", "%PDF-1.7", "RIFF\0\0\0\0WAVE", "\0\0\0\u{18}ftypisom", "\0\0\0\u{18}ftypavif", "RIFF",
            "II*\0", "<svg",
        ])
    func otherTypes(text: String) {
        #expect(ImageType(beginning: Array(text.utf8)) == nil)
    }
}
