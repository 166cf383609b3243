import ImageFiles
import TestSupport
import Testing

@Suite("Image headers")
struct ImageHeaderTests {
    @Test("size and orientation are read in each format", arguments: SampleImage.allCases)
    func header(_ image: SampleImage) throws {
        let header = try ImageHeader(image.file)
        #expect(header.width == 640)
        #expect(header.height == 480)
        #expect(header.orientation.rawValue == image.orientation)
        #expect(header.shownSize == (image.orientation == 6 ? (480, 640) : (640, 480)))
        #expect(!header.isTooLarge)
    }

    @Test(
        "a header can be read from the start of a file, and a start that is too short is reported as incomplete",
        arguments: SampleImage.allCases)
    func beginnings(_ image: SampleImage) throws {
        let whole = try ImageHeader(image.file)
        var sizes: Set<Int> = []
        for length in 0...image.file.count {
            do {
                let header = try ImageHeader(Array(image.file.prefix(length)))
                sizes.insert(length)
                #expect(header.width == whole.width)
            } catch {
                #expect(sizes.isEmpty)
                #expect(length < ImageType.prefixLength ? error == .unknownType || error == .cutOff : error == .cutOff)
            }
        }
        #expect(sizes.count > 1)
    }

    @Test("files of other types have no image header")
    func otherFiles() {
        for text in ["", "GIF89a", "%PDF-1.7", "RIFF1234WAVE", "1234ftypmp42", "Title,Author", "<svg>"] {
            #expect(throws: ImageFault.unknownType) { try ImageHeader(Array(text.utf8)) }
        }
    }

    @Test("an image with more than 100 megapixels is detected from its header, and one without width is malformed")
    func bombs() throws {
        var file = SampleImage.png.file
        file.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
        #expect(try ImageHeader(file).isTooLarge)
        file.replaceSubrange(16..<24, with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try ImageHeader(file).isTooLarge)
        file.replaceSubrange(16..<24, with: [0, 0, 0, 0, 0, 0, 1, 0])
        #expect(throws: ImageFault.malformed) { try ImageHeader(file) }
    }

    @Test("damaged metadata leaves a photo upright")
    func damagedMetadata() throws {
        var file = SampleImage.jpeg.file
        let exif = try #require(file.indices.first { file[$0...].starts(with: Array("MM\0*".utf8)) })
        // A directory far outside the metadata.
        file[exif + 4] = 0x7F
        #expect(try ImageHeader(file).orientation == .upright)
    }

    @Test("rotation and mirroring in HEIF map to EXIF orientations")
    func turns() throws {
        var file = SampleImage.heic.file
        let turn = try #require(file.indices.first { file[$0...].starts(with: Array("irot".utf8)) })
        for (quarters, orientation) in [(0, 1), (1, 8), (2, 3), (3, 6)] {
            file[turn + 4] = UInt8(quarters)
            #expect(try ImageHeader(file).orientation.rawValue == orientation)
        }
        file.replaceSubrange(turn..<(turn + 4), with: Array("imir".utf8))
        for (axis, orientation) in [(0, 4), (1, 2)] {
            file[turn + 4] = UInt8(axis)
            #expect(try ImageHeader(file).orientation.rawValue == orientation)
        }
    }
}
