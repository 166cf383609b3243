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
        "location, maker's notes and texts are removed, and size and orientation are kept",
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

    @Test("a truncated file is rejected", arguments: SampleImage.allCases)
    func cutOff(_ image: SampleImage) throws {
        for length in [0, 4, 11, 20, 27] {
            #expect(throws: ImageFault.self) { try ImageMetadata.removal(from: Array(image.file.prefix(length))) }
        }
    }
}
