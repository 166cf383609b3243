import BookstrackContract
import SuiteMethods
import Testing

@Suite("Cover URLs, cover names and image types")
struct CoverAddressTests {
    private func refusal(_ text: String) -> CoverAddress.Refusal? {
        do throws(CoverAddress.Refusal) {
            _ = try CoverAddress(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "the requested size is expressed in the form that the cover's host uses",
        arguments: [
            ("https://covers.openlibrary.org/b/id/240727-L.jpg", CoverSize.small, "/b/id/240727-S.jpg"),
            ("https://covers.openlibrary.org/b/id/240727-S.jpg", .large, "/b/id/240727-L.jpg"),
            (
                "https://covers.openlibrary.org/b/isbn/9780441172719-M.jpg?default=false", .medium,
                "/b/isbn/9780441172719-M.jpg"
            ),
            ("https://covers.openlibrary.org/b/id/240727.jpg", .medium, "/b/id/240727-M.jpg"),
            ("https://covers.openlibrary.org/b.id/240727", .medium, "/b.id/240727"),
            (
                "https://books.google.com/books/content?id=B1&printsec=frontcover&img=1&zoom=3&edge=curl&source=gbs_api",
                .medium, "/books/content?id=B1&printsec=frontcover&img=1&source=gbs_api&zoom=1"
            ),
            ("https://books.google.com/books/content?id=B1", .small, "/books/content?id=B1&zoom=5"),
            ("https://books.googleusercontent.com/books/content?req=A_z", .large, "/books/content?req=A_z&zoom=3"),
            ("https://books.google.com/books/content", .large, "/books/content?zoom=3"),
            ("https://images.isbndb.com/covers/27/19/9780441172719.jpg", .small, "/covers/27/19/9780441172719.jpg"),
            ("HTTPS://Books.Google.Com/x", .large, "/x?zoom=3"),
        ])
    func sizes(text: String, size: CoverSize, path: String) throws {
        #expect(try CoverAddress(text).path(size) == path)
    }

    @Test(
        "a cover URL that is not a plain https URL is refused",
        arguments: [
            "", "covers.openlibrary.org/b/id/1-L.jpg", "http://covers.openlibrary.org/b/id/1-L.jpg", "https://",
            "https:///b/id/1-L.jpg", "https://covers.openlibrary.org", "https://covers.openlibrary.org?x=1",
            "https://covers.openlibrary.org:443/b", "https://me@covers.openlibrary.org/b",
            "https://covers.openlibrary.org@evil.example/b", "https://covers.openlibrary.org/b#c",
            "https://covers.openlibrary.org/b\\c", "https://covers.openlibrary.org/b c", "https://books.google.com/é",
            "https://covers.openlibrary.org/b\r\nHost: evil.example", "https://covers.openlibrary.org/../admin",
            "https://covers.openlibrary.org/b/%2E./x", "https://covers.openlibrary.org/./x", "file:///etc/passwd",
            "https://covers.openlibrary.org\\@evil.example/b",
        ])
    func malformed(text: String) {
        #expect(refusal(text)?.code == .invalidQuery)
    }

    @Test(
        "cover hosts that are not listed are refused, including those that resemble listed hosts",
        arguments: [
            "https://evil.example/b/id/1-L.jpg", "https://covers.openlibrary.org.evil.example/b",
            "https://evilbooks.google.com/b", "https://books.google.evil.example/b", "https://books.google/b",
            "https://.books.google.com/b", "https://127.0.0.1/b", "https://localhost/b", "https://archive.org/b",
            "https://covers.openlibrary.org./b", "https://covers%2Eopenlibrary.org/b",
        ])
    func foreign(text: String) {
        #expect(refusal(text) == .foreignHost)
    }

    @Test(
        "a cover at one of Google Books' national or numbered hosts is the same picture at books.google.com",
        arguments: ["books.google.co.uk", "bks5.books.google.ro", "Books.Google.Com.AU", "bks1.books.google.com"])
    func googleHosts(host: String) throws {
        let cover = try CoverAddress("https://\(host)/books?id=B1&img=1&zoom=3")
        #expect(cover.host == .googleBooks)
        let usual = try CoverAddress("https://books.google.com/books?id=B1&img=1&zoom=3")
        #expect(cover.name(.large) == usual.name(.large))
    }

    @Test("a cover URL of 2 000 bytes is accepted, and a longer one is rejected")
    func length() {
        let start = "https://images.isbndb.com/"
        #expect(refusal(start + String(repeating: "a", count: 2_000 - start.count)) == nil)
        #expect(refusal(start + String(repeating: "a", count: 2_001 - start.count))?.code == .invalidQuery)
    }

    @Test("a cover has the same name however its URL is written, and a different name for each size")
    func names() throws {
        let large = try CoverAddress("https://covers.openlibrary.org/b/id/240727-L.jpg")
        let other = try CoverAddress("https://COVERS.openlibrary.org/b/id/240727-S.jpg?default=false")
        #expect(large.name(.large) == other.name(.large))
        #expect(Set(CoverSize.allCases.map(large.name)).count == 3)
        let google = try CoverAddress("https://books.google.com/b/id/240727-L.jpg")
        #expect(google.name(.large) != large.name(.large))
        #expect(large.name(.large).description.utf8.count == 64)
    }

    @Test(
        "only 64 lowercase hex digits are accepted as a cover name",
        arguments: ["", "../jobs.sqlite", String(repeating: "a", count: 63) + "/", String(repeating: "A", count: 64)])
    func badNames(text: String) {
        #expect(CoverName(text) == nil)
    }

    @Test("image types are recognized by their first bytes")
    func types() {
        #expect(PictureType(beginning: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(PictureType(beginning: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]) == .png)
        #expect(PictureType(beginning: Array("GIF89a".utf8)) == .gif)
        #expect(PictureType(beginning: Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8)) == .webp)
        for text in ["", "<html>", "GIF8", "RIFF\u{1}\u{2}\u{3}\u{4}WAVE", "%PDF-1.7", "<svg xmlns="] {
            #expect(PictureType(beginning: Array(text.utf8)) == nil)
        }
    }
}
