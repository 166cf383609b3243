import ImageFiles
import TestSupport
import Testing

/// The types in scans.md "Routes", which are recognized by a file's first bytes; the maximum size of an image; the pieces of a changed file.
@Suite("Image types, sizes and pieces")
struct ImageTypeTests {
    private func type(_ bytes: [UInt8]) -> ImageType? { ImageType(beginning: bytes) }

    private func container(brand: String) -> [UInt8] { [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) }

    @Test(
        "a JPEG is recognized by its first three bytes, whatever the fourth byte is",
        arguments: [0xE0, 0xE1, 0xDB, 0xEE] as [UInt8])
    func jpeg(fourth: UInt8) {
        #expect(type([0xFF, 0xD8, 0xFF, fourth]) == .jpeg)
        #expect(type([0xFF, 0xD8]) == nil)
        #expect(type([0xFF, 0xD8, 0x00, fourth]) == nil)
    }

    @Test("a PNG is recognized by its first eight bytes, and a file that a text conversion has damaged is not a PNG")
    func png() {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(type(signature) == .png)
        #expect(type(signature + [0, 0, 0, 13]) == .png)
        #expect(type([0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A]) == nil)
        #expect(type([0x09, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == nil)
    }

    @Test("a RIFF file is a WebP file only if its form is WEBP", arguments: ["WAVE", "AVI ", "webp"])
    func webp(other: String) {
        #expect(type(Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBP".utf8)) == .webp)
        #expect(type(Array("RIFF".utf8) + [1, 2, 3, 4] + Array(other.utf8)) == nil)
        #expect(type(Array("RIFX".utf8) + [1, 2, 3, 4] + Array("WEBP".utf8)) == nil)
    }

    @Test(
        "a container with a still-image brand is HEIF", arguments: ["heic", "heix", "heim", "heis", "mif1"])
    func heif(brand: String) {
        #expect(type(container(brand: brand)) == .heif)
    }

    @Test(
        "a container with video, audio, raw data from a camera or an AVIF picture, which no engine reads, is not accepted",
        arguments: ["isom", "mp42", "qt  ", "crx ", "M4A ", "avif"])
    func otherContainers(brand: String) {
        #expect(type(container(brand: brand)) == nil)
    }

    @Test("twelve bytes are enough to determine the type, and containers require all of them")
    func prefix() {
        #expect(ImageType.prefixLength == 12)
        let heif = container(brand: "heic")
        #expect(type(Array(heif.prefix(11))) == nil)
        #expect(type(heif) == .heif)
    }

    @Test(
        "each type has the media type that services expect",
        arguments: [
            (ImageType.jpeg, "image/jpeg"), (.png, "image/png"), (.webp, "image/webp"), (.heif, "image/heic"),
        ])
    func mediaTypes(type: ImageType, name: String) {
        #expect(type.mediaType == name)
    }

    @Test(
        "an image of up to 100 megapixels is accepted, and a larger one is not",
        arguments: [
            (10_000, 10_000, false), (10_000, 10_001, true), (100_000_000, 1, false), (100_000_001, 1, true),
            (12_000, 8_000, false),
        ])
    func sizes(width: Int, height: Int, isTooLarge: Bool) throws {
        var file = SampleImage.png.file
        let bytes = [width, height].flatMap { size in (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } }
        file.replaceSubrange(16..<24, with: bytes)
        let header = try ImageHeader(file)
        #expect(header.width == width)
        #expect(header.height == height)
        #expect(header.isTooLarge == isTooLarge)
    }

    @Test("a changed file consists of its pieces in order")
    func pieces() {
        let pieces: [ImageFilePiece] = [.kept(0..<2), .written([9, 8]), .zeros(3), .kept(4..<5)]
        #expect(pieces.map(\.count) == [2, 2, 3, 1])
        #expect(pieces.joined(from: [1, 2, 3, 4, 5]) == [1, 2, 9, 8, 0, 0, 0, 5])
        #expect([ImageFilePiece]().joined(from: [1, 2, 3]).isEmpty)
    }

    @Test("removing metadata leaves no empty pieces", arguments: SampleImage.allCases)
    func emptyPieces(image: SampleImage) throws {
        let pieces = try ImageMetadata.removal(from: image.file)
        #expect(pieces.allSatisfy { $0.count > 0 })
        #expect(try ImageHeader(pieces.joined(from: image.file)).orientation.rawValue == image.orientation)
    }

    @Test("metadata is not removed from a file that is not an image", arguments: ["", "GIF89a", "Title,Author"])
    func noImage(text: String) {
        #expect(throws: ImageFault.unknownType) { try ImageMetadata.removal(from: Array(text.utf8)) }
    }
}
