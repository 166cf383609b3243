import ImageFiles
import TestSupport
import Testing

@Suite("Metadata removal")
struct ImageMetadataTests {
    private func contains(_ file: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return file.indices.contains { file[$0...].starts(with: wanted) }
    }

    @Test(
        "location, maker notes and texts are removed, and size and orientation are kept",
        arguments: SampleImage.allCases)
    func removal(_ image: SampleImage) throws {
        let file = image.file
        let cleaned = try ImageMetadata.removal(from: file).joined(from: file)
        for secret in SampleImage.secrets { #expect(!contains(cleaned, secret), "\(secret)") }
        #expect(try ImageHeader(cleaned) == ImageHeader(file))
    }

    @Test("a file without metadata stays unchanged", arguments: SampleImage.allCases)
    func again(_ image: SampleImage) throws {
        let cleaned = try ImageMetadata.removal(from: image.file).joined(from: image.file)
        #expect(try ImageMetadata.removal(from: cleaned).joined(from: cleaned) == cleaned)
    }

    @Test("a JPEG keeps its tables, scans and colors, byte for byte")
    func jpegPicture() throws {
        let file = SampleImage.progressiveJPEG.file
        let cleaned = try ImageMetadata.removal(from: file).joined(from: file)
        let tables = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDB]) })
        let end = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xD9]) })
        #expect(cleaned.suffix(end + 2 - tables).elementsEqual(file[tables..<(end + 2)]))
        #expect(contains(cleaned, "JFIF"))
        #expect(contains(cleaned, "ICC_PROFILE"))
    }

    @Test("a WebP file's length is updated, and the flag for the removed text is cleared")
    func webPLength() throws {
        let file = SampleImage.extendedWebP.file
        let cleaned = try ImageMetadata.removal(from: file).joined(from: file)
        let length = cleaned[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(length == cleaned.count - 8)
        #expect(cleaned[20] == 0x08)
    }

    @Test("removing metadata keeps the offsets in a HEIF file valid")
    func heifOffsets() throws {
        let file = SampleImage.heic.file
        let cleaned = try ImageMetadata.removal(from: file).joined(from: file)
        #expect(cleaned.count == file.count)
        let picture = try #require(file.indices.first { file[$0...].starts(with: Array("uuid".utf8)) }) - 7
        #expect(cleaned[picture..<(picture + 3)] == [1, 2, 3])
    }

    @Test("a JPEG's adjacent segments become one piece, however many there are")
    func adjacentSegments() throws {
        let segments = Array(repeatElement([0xFF, 0xDB, 0, 2] as [UInt8], count: 100_000).joined())
        var file = SampleImage.progressiveJPEG.file
        file.insert(contentsOf: segments, at: 2)
        #expect(try ImageMetadata.removal(from: file).count < 10)
    }

    @Test("adjacent kept ranges are merged into one piece", arguments: SampleImage.allCases)
    func adjacentRanges(_ image: SampleImage) throws {
        let pieces = try ImageMetadata.removal(from: image.file)
        for case (.kept(let first), .kept(let second)) in zip(pieces, pieces.dropFirst()) {
            #expect(first.upperBound != second.lowerBound)
        }
    }

    @Test(
        "a file whose metadata divides it into too many pieces is rejected",
        arguments: [
            (.progressiveJPEG, 2, [0xFF, 0xDB, 0, 2, 0xFF, 0xFE, 0, 2]),
            (.png, 33, Array("\0\0\0\0IDAT\0\0\0\0\0\0\0\0tEXt\0\0\0\0".utf8)),
            (.extendedWebP, 30, Array("ALPH\0\0\0\0XMP \0\0\0\0".utf8)),
        ] as [(SampleImage, Int, [UInt8])])
    func tooManyPieces(image: SampleImage, offset: Int, chunks: [UInt8]) throws {
        let inserted = Array(repeatElement(chunks, count: 70_000).joined())
        var file = image.file
        file.insert(contentsOf: inserted, at: offset)
        if image == .extendedWebP {
            file.replaceSubrange(4..<8, with: [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: (file.count - 8) >> $0) })
        }
        #expect(throws: ImageFault.malformed) { _ = try ImageMetadata.removal(from: file) }
    }

    @Test("a truncated file is rejected", arguments: SampleImage.allCases)
    func cutOff(_ image: SampleImage) throws {
        for length in [0, 4, 11, 20, 27] {
            #expect(throws: ImageFault.self) { try ImageMetadata.removal(from: Array(image.file.prefix(length))) }
        }
    }
}
