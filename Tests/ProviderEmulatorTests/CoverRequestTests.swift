import BookIdentifiers
import NIOHTTP1
import Testing

@testable import ProviderEmulator

@Suite("Cover requests")
struct CoverRequestTests {
    private func asked(_ target: String) -> CoverRequest.Asked? {
        guard case .picture(let asked) = CoverRequest(RequestTarget(target)) else { return nil }
        return asked
    }

    @Test("each host's cover paths are recognized")
    func hosts() throws {
        let dune = try #require(ISBN("9780441172719"))
        #expect(asked("/b/id/240727-S.jpg")?.picture == .number(240_727))
        #expect(asked("/b/isbn/0441172717-M.jpg")?.picture == .openLibrary(dune))
        #expect(asked("/books/content?id=abc&zoom=1")?.picture == .volume("abc"))
        #expect(asked("/covers/27/19/9780441172719.jpg")?.picture == .isbndb(dune))
        #expect(asked("/archive/download/covers/7-L.jpg")?.picture == .number(7))
    }

    @Test(
        "a path of another form is not recognized as a cover path",
        arguments: [
            "/b/id/240727-X.jpg", "/b/id/240727.jpg", "/b/id/abc-S.jpg", "/b/id/240727-S.png", "/b/isbn/123-S.jpg",
            "/b/id/1-2-S.jpg", "/books/content", "/covers/27/9780441172719.jpg", "/covers/27/19/abc.jpg", "/",
            "/w/id/1-S.jpg",
        ])
    func unknown(target: String) {
        #expect(CoverRequest(RequestTarget(target)) == .unknown)
    }

    @Test(
        "Open Library's sizes are letters",
        arguments: [
            ("S", EmulatedCoverSize.small), ("M", .medium), ("L", .large),
        ])
    func letters(letter: String, size: EmulatedCoverSize) {
        #expect(asked("/b/id/1-\(letter).jpg")?.size == size)
    }

    @Test(
        "Google's sizes are zoom levels, medium by default",
        arguments: [
            ("&zoom=5", EmulatedCoverSize.small), ("&zoom=1", .medium), ("", .medium), ("&zoom=0", .large),
            ("&zoom=3", .large),
            ("&zoom=4", .large), ("&zoom=6", .large), ("&zoom=x", .medium),
        ])
    func zooms(query: String, size: EmulatedCoverSize) {
        #expect(asked("/books/content?id=abc\(query)")?.size == size)
    }

    @Test(
        "a missing cover is replaced by a placeholder unless the request forbids it",
        arguments: [
            ("", true), ("?default=false", false), ("?default=true", true),
        ])
    func standIns(query: String, hasStandIn: Bool) {
        #expect(asked("/b/id/1-S.jpg\(query)")?.hasStandIn == hasStandIn)
    }

    @Test(
        "two covers in five are in the archive", arguments: [(5, true), (6, true), (7, false), (8, false), (9, false)])
    func archived(number: Int, isArchived: Bool) {
        #expect(CoverAPI.isArchived(number) == isArchived)
    }

    @Test("a request to the archive is not redirected again")
    func archiveIsTheEnd() {
        #expect(asked("/archive/download/covers/5-L.jpg")?.isArchive == true)
        #expect(asked("/b/id/5-L.jpg")?.isArchive == false)
    }

    @Test(
        "fault rules select a cover by its number, its volume or its book's ISBN",
        arguments: [
            ("/b/id/7-S.jpg", "7"), ("/books/content?id=abc", "abc"), ("/b/isbn/0441172717-M.jpg", "9780441172719"),
            ("/covers/27/19/9780441172719.jpg", "9780441172719"),
        ])
    func keys(target: String, key: String) {
        #expect(CoverRequest(RequestTarget(target)).keys.map(\.text) == [key])
    }

    @Test("a cover can be cached for a day and has an ETag for its content")
    func caching() throws {
        let emulator = try InProcessEmulator(books: [try .example()])
        let small = try emulator.answer(.GET, "/covers/b/id/13473958-S.jpg")
        let large = try emulator.answer(.GET, "/covers/b/id/13473958-L.jpg")
        #expect(small.status == .ok)
        #expect(small.header("Cache-Control") == "public, max-age=86400")
        #expect(small.header("ETag") != nil)
        #expect(small.header("ETag") != large.header("ETag"))
        #expect(try emulator.answer(.GET, "/covers/b/id/13473958-S.jpg").body == small.body)
    }

    @Test(
        "with default=false, a book with no cover and an unknown cover number return a 404",
        arguments: [
            "/covers/b/isbn/9798400000003-L.jpg?default=false", "/covers/b/id/1-L.jpg?default=false",
        ])
    func withoutCover(target: String) throws {
        let emulator = try InProcessEmulator(books: [try .bare()])
        #expect(try emulator.answer(.GET, target).status == .notFound)
    }
}

@Suite("JPEG images and gzip bombs")
struct SmallJPEGTests {
    /// Returns the markers of a JPEG up to the scan, found by following the segments' lengths.
    private func markers(_ bytes: [UInt8]) -> [UInt8] {
        var markers: [UInt8] = []
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            markers.append(bytes[place + 1])
            if bytes[place + 1] == 0xDA { break }
            place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
        }
        return markers
    }

    @Test("an image has the segments of a baseline JPEG in order")
    func segments() {
        let image = SmallJPEG(width: 40, height: 60, shade: 5, comment: "a cover")
        #expect(image.bytes.prefix(2) == [0xFF, 0xD8])
        #expect(markers(image.bytes) == [0xE0, 0xFE, 0xDB, 0xC0, 0xC4, 0xC4, 0xDA])
        #expect(image.bytes.suffix(2) == [0xFF, 0xD9])
    }

    @Test("images are different if their comments or shades are different")
    func differences() {
        let one = SmallJPEG(width: 8, height: 8, shade: 5, comment: "one")
        #expect(one != SmallJPEG(width: 8, height: 8, shade: 5, comment: "two"))
        #expect(one != SmallJPEG(width: 8, height: 8, shade: 6, comment: "one"))
        #expect(one == SmallJPEG(width: 8, height: 8, shade: 5, comment: "one"))
    }

    @Test("no byte of an image's scan looks like a JPEG marker", arguments: [1, 7, 63, 127])
    func stuffing(shade: Int) throws {
        let bytes = SmallJPEG(width: 480, height: 720, shade: shade, comment: "").bytes
        let start = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        let scan = bytes[(start + 10)...].dropLast(2)
        #expect(scan.count > 1_000)
        #expect(!scan.contains(0xFF))
    }

    @Test("a gzip bomb declares its unpacked length and stays small", arguments: [1, 258, 1_048_576])
    func bomb(spaces: Int) {
        let bytes = GzipBomb(spaces: spaces).bytes
        #expect(bytes.prefix(3) == [0x1F, 0x8B, 8])
        let length = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(length >= spaces)
        #expect(length <= spaces + 258)
        #expect(bytes.count < 40 + spaces / 100)
    }

    /// The expected checksum is the CRC-32 of 259 spaces, as computed by Python's `zlib.crc32(b" " * 259)`.
    @Test("a gzip bomb has the checksum of its unpacked content")
    func checksum() {
        let sum = GzipBomb(spaces: 258).bytes.suffix(8).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        #expect(sum == 0xb950a881)
    }
}
