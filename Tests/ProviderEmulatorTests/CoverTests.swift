import Testing

@testable import ProviderEmulator

@Suite("Emulated covers")
struct CoverTests {
    private static let numbers = SampleCatalog.books.filter { $0.hasCover && $0.knownTo.contains(.openLibrary) }
        .map(\.coverID)

    private func number(archived: Bool) throws -> Int {
        try #require(Self.numbers.first { CoverAPI.isArchived($0) == archived })
    }

    /// The height and width of a JPEG, read from its frame header.
    private func size(_ bytes: [UInt8]) -> [Int] {
        guard let frame = bytes.indices.dropLast(9).first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }) else {
            return []
        }
        return [5, 7].map { Int(bytes[frame + $0]) << 8 | Int(bytes[frame + $0 + 1]) }
    }

    @Test("a cover has the requested size, and each size has different bytes")
    func sizes() async throws {
        try await RunningEmulator.run { emulator in
            let number = try number(archived: false)
            var bodies: Set<[UInt8]> = []
            for (name, expected) in [("S", [60, 40]), ("M", [270, 180]), ("L", [720, 480])] {
                let answer = try await emulator.get("/covers/b/id/\(number)-\(name).jpg")
                #expect(answer.status == 200)
                #expect(answer.header("Content-Type") == "image/jpeg")
                #expect(answer.body.starts(with: [0xFF, 0xD8, 0xFF]))
                #expect(answer.body.suffix(2) == [0xFF, 0xD9])
                #expect(size(answer.body) == expected)
                bodies.insert(answer.body)
            }
            #expect(bodies.count == 3)
        }
    }

    @Test("some covers are redirected to the archive")
    func archive() async throws {
        try await RunningEmulator.run { emulator in
            let number = try number(archived: true)
            let answer = try await emulator.get("/covers/b/id/\(number)-L.jpg")
            #expect(answer.status == 302)
            let location = try #require(answer.header("Location"))
            #expect(location.hasPrefix("http://emulator.test/covers/archive/"))
            let picture = try await emulator.get(String(location.dropFirst("http://emulator.test".count)))
            #expect(size(picture.body) == [720, 480])
        }
    }

    @Test("an unknown cover is served as a transparent pixel, or returns a 404 with default=false")
    func unknown() async throws {
        try await RunningEmulator.run { emulator in
            let point = try await emulator.get("/covers/b/id/7-L.jpg")
            #expect(point.header("Content-Type") == "image/gif")
            for path in ["b/id/7-L.jpg?default=false", "nowhere"] {
                let answer = try await emulator.get("/covers/\(path)")
                #expect(answer.status == 404)
            }
        }
    }

    @Test("Google's volumes and ISBNdb's books also have covers")
    func otherHosts() async throws {
        try await RunningEmulator.run { emulator in
            let volume = try #require(SampleCatalog.books.first).volumeID
            let google = try await emulator.get("/covers/books/content?id=\(volume)&printsec=frontcover&img=1&zoom=3")
            #expect(size(google.body) == [720, 480])
            let isbndb = try await emulator.get("/covers/covers/03/00/9780618260300.jpg")
            #expect(isbndb.header("Content-Type") == "image/jpeg")
            #expect(isbndb.body != google.body)
        }
    }

    @Test("cover faults include a redirect to another host, a page declared as an image, and an oversized image")
    func faults() async throws {
        try await RunningEmulator.run { emulator in
            let number = try number(archived: false)
            let path = "/covers/b/id/\(number)-S.jpg"
            let whole = try await emulator.get(path)
            try await emulator.setFaults(
                """
                [{"kind":"redirect","location":"http://10.0.0.1/x.jpg","provider":"covers","times":1},
                 {"kind":"garbage","cover":"\(number)","times":1},{"kind":"huge","megabytes":2,"cover":"\(number)","times":1},
                 {"kind":"truncate","cover":"\(number)","times":1},{"kind":"wrongBook","cover":"\(number)"}]
                """)
            #expect(try await emulator.get(path).header("Location") == "http://10.0.0.1/x.jpg")
            let page = try await emulator.get(path)
            #expect(page.header("Content-Type") == "image/jpeg")
            #expect(page.text.hasPrefix("<!DOCTYPE html>"))
            let huge = try await emulator.get(path)
            #expect(huge.body.count > 2 << 20)
            #expect(huge.header("Content-Length") == nil)
            let cut = try await emulator.get(path)
            #expect(cut.header("Content-Length") != String(cut.body.count))
            let other = try await emulator.get(path)
            #expect(size(other.body) == size(whole.body))
            #expect(other.body != whole.body)
        }
    }
}
