import BookIdentifiers
import Foundation
import JSONRPC
import Logging
import ProviderClient
import SuiteMethods
import TestSupport
import Testing
import Transfer

@testable import EnrichmentWorker
@testable import ProviderEmulator

@Suite("Fetching covers", .timeLimit(.minutes(1)))
struct CoverFetchTests {
    /// The numbers of emulated covers: those that are in the archive, or those that are not.
    private func covers(archived: Bool) -> [Int] {
        (0..<200).compactMap { SyntheticCatalog.book($0) }.filter(\.hasCover).map(\.coverID)
            .filter { CoverAPI.isArchived($0) == archived }
    }

    private func openLibrary(_ number: Int?) throws -> String {
        "https://covers.openlibrary.org/b/id/\(try #require(number))-L.jpg"
    }

    private func code(_ fetcher: CoverFetcher, _ url: String, _ size: SuiteMethods.CoverSize = .small) async -> String?
    {
        do throws(CoverFailure) {
            _ = try await fetcher.fetch(.init(url: url, size: size))
            return nil
        } catch {
            return error.error.detail.code
        }
    }

    private func asked(_ rig: WorkerRig) -> [String] {
        rig.providers.log.filter { $0.provider == "covers" }.map(\.path)
    }

    @Test("each size of a cover is fetched once, from its own URL, and stored in the data directory")
    func sizes() async throws {
        try await WorkerRig.run { rig in
            let fetcher = rig.covers()
            let number = try #require(covers(archived: false).first)
            var bytes: [Int] = []
            for size in SuiteMethods.CoverSize.allCases + SuiteMethods.CoverSize.allCases {
                let result = try await fetcher.fetch(.init(url: openLibrary(number), size: size))
                let path = "\(rig.directory)/covers/\(result.file)"
                let content = try Data(contentsOf: URL(filePath: path))
                #expect(content.count == result.bytes)
                #expect(result.contentType == .jpeg)
                #expect(content.starts(with: [0xFF, 0xD8, 0xFF]))
                bytes.append(result.bytes)
            }
            #expect(asked(rig) == ["S", "M", "L"].map { "/b/id/\(number)-\($0).jpg" })
            #expect(bytes[0] < bytes[1])
            #expect(bytes[1] < bytes[2])
        }
    }

    @Test("at most 400 covers a minute are requested from Open Library")
    func pace() async throws {
        try await WorkerRig.run { rig in
            let fetcher = rig.covers()
            let addresses = try covers(archived: false).prefix(5).map { try openLibrary($0) }
            // Measured from here, because a busy machine may delay the first request's arrival more than the last one's.
            let start = rig.clock.now
            await withDiscardingTaskGroup { group in
                for address in addresses { group.addTask { _ = await code(fetcher, address) } }
            }
            #expect(asked(rig).count == 5)
            #expect(start.duration(to: rig.clock.now) >= .seconds(4 * 60) / 400)
        }
    }

    @Test("a cover in the archive is fetched through a redirect")
    func archived() async throws {
        try await WorkerRig.run { rig in
            let number = try #require(covers(archived: true).first)
            #expect(await code(rig.covers(), try openLibrary(number)) == nil)
            #expect(asked(rig).count == 2)
            #expect(asked(rig)[1].hasPrefix("/archive/download/"))
        }
    }

    @Test("a Google cover is fetched in the requested size, and an ISBNdb cover is fetched once for several sizes")
    func otherHosts() async throws {
        try await WorkerRig.run { rig in
            let books = (0..<200).compactMap { SyntheticCatalog.book($0) }
            let book = try #require(books.first { $0.hasCover })
            let fetcher = rig.covers()
            let google = "https://books.google.com/books/content?id=\(book.volumeID)&img=1&edge=curl&zoom=1"
            #expect(await code(fetcher, google, .large) == nil)
            let isbn = book.isbn.isbn13
            let isbndb = "https://images.isbndb.com/covers/\(isbn.suffix(4).prefix(2))/\(isbn.suffix(2))/\(isbn).jpg"
            #expect(await code(fetcher, isbndb, .small) == nil)
            #expect(await code(fetcher, isbndb, .large) == nil)
            #expect(asked(rig).count == 2)
            #expect(asked(rig)[0].hasSuffix("img=1&zoom=3"))
        }
    }

    @Test("a cover that many clients request at the same time is fetched once")
    func together() async throws {
        try await WorkerRig.run(.init(latency: .milliseconds(50))) { rig in
            let fetcher = rig.covers()
            let url = try openLibrary(covers(archived: false).first)
            let files = try await withThrowingTaskGroup(of: CoverName.self) { group in
                for _ in 0..<50 { group.addTask { try await fetcher.fetch(.init(url: url, size: .large)).file } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(files.count == 1)
            #expect(asked(rig).count == 1)
        }
    }

    @Test("covers beyond the maximum number of concurrent fetches are refused temporarily")
    func bound() async throws {
        try await WorkerRig.run(.init(latency: .seconds(1))) { rig in
            let fetcher = rig.covers()
            let urls = try covers(archived: false).prefix(40).map(openLibrary)
            try #require(urls.count == 40)
            let codes = await withTaskGroup(of: String?.self) { group in
                for url in urls { group.addTask { await code(fetcher, url) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == nil } == 32)
            #expect(codes.count { $0 == "SERVICE_UNAVAILABLE" } == 8)
        }
    }

    @Test("a placeholder or a 404 from a host means that there is no cover, which is remembered for five minutes")
    func absences() async throws {
        try await WorkerRig.run { rig in
            let clock = SteppedClock()
            let fetcher = rig.covers(clock: clock)
            let urls = ["https://covers.openlibrary.org/b/id/1-L.jpg", "https://images.isbndb.com/covers/x.jpg"]
            for url in urls + urls { #expect(await code(fetcher, url) == "NOT_FOUND") }
            #expect(asked(rig).count == 2)
            clock.advance(by: .seconds(301))
            for url in urls { #expect(await code(fetcher, url) == "NOT_FOUND") }
            #expect(asked(rig).count == 4)
        }
    }

    @Test(
        "a host's failure is not reported as a missing cover, and nothing is stored",
        arguments: [
            (#"{"kind":"garbage"}"#, "PROVIDER_ERROR"), (#"{"kind":"status","code":400}"#, "PROVIDER_ERROR"),
            (#"{"kind":"huge"}"#, "PROVIDER_ERROR"), (#"{"kind":"bomb"}"#, "PROVIDER_ERROR"),
            (#"{"kind":"truncate"}"#, "PROVIDER_ERROR"), (#"{"kind":"quota","code":403}"#, "QUOTA_EXHAUSTED"),
            (#"{"kind":"status","code":429,"retryAfter":60}"#, "QUOTA_EXHAUSTED"),
        ])
    func faults(fault: String, expected: String) async throws {
        try await WorkerRig.run { rig in
            let url = try openLibrary(covers(archived: false).first)
            rig.providers.setFaults("[\(fault)]")
            let fetcher = rig.covers()
            #expect(await code(fetcher, url) == expected)
            rig.providers.setFaults("[]")
            let left = (try? FileManager.default.contentsOfDirectory(atPath: rig.directory + "/covers")) ?? []
            #expect(left == [])
            guard expected != "QUOTA_EXHAUSTED" else { return }
            #expect(await code(fetcher, url) == nil)
        }
    }

    @Test(
        "a redirect is followed neither to a host that is not on the allowlist, nor over http, nor to a file",
        arguments: [
            ("https://evil.example/1.jpg", RedirectRefusal.foreignHost),
            ("https://archive.org.evil.example/1.jpg", .foreignHost), ("https://169.254.169.254/", .foreignHost),
            ("http://archive.org/1.jpg", .insecure), ("file:///etc/passwd", .malformed),
        ])
    func redirects(target: String, refusal: RedirectRefusal) async throws {
        try await WorkerRig.run { rig in
            let url = try openLibrary(covers(archived: false).first)
            rig.providers.setFaults(#"[{"kind":"redirect","location":"\#(target)"}]"#)
            let message = "The cover's host did not deliver the image (\(ProviderOutcome.redirectRefused.rawValue))."
            do throws(CoverFailure) {
                _ = try await rig.covers().fetch(.init(url: url, size: .small))
                Issue.record("a cover was returned")
            } catch {
                guard case .call(.redirectRefused(refusal)) = error else { throw error }
                #expect(error.error.message == message)
            }
        }
    }

    @Test("a timeout has its own error code")
    func timeouts() {
        #expect(CoverFailure.call(.timeout).error.detail.code == "PROVIDER_TIMEOUT")
        #expect(CoverFailure.call(.busy).error.detail.code == "SERVICE_UNAVAILABLE")
    }

    @Test("URLs of other hosts and http URLs are refused, and nothing is requested")
    func refusals() async throws {
        try await WorkerRig.run { rig in
            let fetcher = rig.covers()
            #expect(await code(fetcher, "https://evil.example/1.jpg") == "FORBIDDEN")
            #expect(await code(fetcher, "http://covers.openlibrary.org/b/id/1-L.jpg") == "INVALID_QUERY")
            #expect(asked(rig).isEmpty)
        }
    }

    @Test("a cover that cannot be stored is reported as a service failure, and can be fetched once storing works again")
    func notKept() async throws {
        let log = RecordingLog()
        try await WorkerRig.run { rig in
            let url = try openLibrary(covers(archived: false).first)
            let fetcher = rig.covers(logger: log.logger)
            try Data().write(to: URL(filePath: rig.directory + "/covers"))
            for _ in 0..<2 { #expect(await code(fetcher, url) == "SERVICE_UNAVAILABLE") }
            try FileManager.default.removeItem(atPath: rig.directory + "/covers")
            #expect(await code(fetcher, url) == nil)
        }
        #expect(log.texts(at: .error) == ["covers cannot be stored"])
        #expect(log.texts(at: .notice) == ["covers are stored again"])
    }
}
