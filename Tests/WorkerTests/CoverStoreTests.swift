import Foundation
import Logging
import ProviderClient
import ServiceKit
import SuiteMethods
import Testing
@testable import EnrichmentWorker

@Suite("Covers on disk", .timeLimit(.minutes(1)))
struct CoverStoreTests {
    private let clock = SteppedClock()
    private let directory = "/tmp/bc-\(UUID().uuidString.prefix(8))"

    private func store(limit: Int = 1_000, in directory: String? = nil) -> CoverStore {
        CoverStore(
            directory: directory ?? self.directory, limit: limit, clock: clock,
            logger: Logger(label: "covers") { _ in SwiftLogNoOpLogHandler() })
    }

    private func cleanUp() { try? FileManager.default.removeItem(atPath: directory) }

    private func name(_ number: Int) throws -> CoverName {
        try CoverAddress("https://images.isbndb.com/\(number).jpg").name(.large)
    }

    /// A picture of `bytes` bytes that starts like a JPEG.
    private func picture(_ bytes: Int = 100, fill: UInt8 = 7) throws -> CoverPicture {
        try #require(CoverPicture(Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: fill, count: bytes - 3))))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    /// Stores pictures more than an hour apart, in the order of their numbers.
    private func fill(_ store: CoverStore, _ numbers: Range<Int>) throws {
        for number in numbers {
            _ = try store.keep(picture(), as: name(number))
            clock.advance(by: .seconds(4_000))
        }
    }

    private func missing(_ store: CoverStore, _ numbers: Range<Int>) throws -> [Int] {
        try numbers.filter { try store.find(name($0)) == nil }
    }

    @Test("a stored picture is read back unchanged, has a plain file name and leaves no other files behind")
    func roundTrip() throws {
        defer { cleanUp() }
        let store = store()
        #expect(try store.find(name(1)) == nil)
        let kept = try store.keep(picture(200), as: name(1))
        let found = try #require(try store.find(name(1)))
        #expect(kept.bytes == 200)
        #expect(found.bytes == 200)
        #expect(found.type == .jpeg)
        #expect(try found.read(at: 0, upTo: 1_000) == Array(picture(200).content))
        #expect(try found.read(at: 198, upTo: 10) == [7, 7])
        #expect(try found.read(at: 200, upTo: 10).isEmpty)
        #expect(try files() == [name(1).description])
    }

    @Test("at the limit, the least recently used pictures are evicted, a tenth at a time")
    func eviction() throws {
        defer { cleanUp() }
        let store = store()
        try fill(store, 0..<10)
        #expect(try store.find(name(0)) != nil)
        clock.advance(by: .seconds(10))
        _ = try store.keep(picture(), as: name(10))
        #expect(try missing(store, 0..<11) == [1, 2])
    }

    @Test("after the clock has been set back, the pictures that were used since then are kept")
    func clockSetBack() throws {
        defer { cleanUp() }
        let store = store()
        clock.advance(by: .seconds(100 * 86_400))
        try fill(store, 0..<10)
        clock.advance(by: .seconds(-100 * 86_400))
        for number in 0..<8 { _ = try store.find(name(number)) }
        _ = try store.keep(picture(), as: name(10))
        #expect(try missing(store, 0..<11) == [8, 9])
    }

    @Test("after a restart, pictures stored earlier still count, and the least recently used are evicted")
    func restart() throws {
        defer { cleanUp() }
        try fill(store(), 0..<10)
        _ = try store().find(name(0))
        clock.advance(by: .seconds(10))
        let restarted = store()
        _ = try restarted.keep(picture(), as: name(10))
        #expect(try missing(restarted, 0..<11) == [1, 2])
    }

    @Test("the use of a picture is recorded at most once an hour")
    func coarseUse() throws {
        defer { cleanUp() }
        let store = store()
        _ = try store.keep(picture(), as: name(1))
        let path = "\(directory)/\(try name(1))"
        func noted() throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        }
        let first = try noted()
        clock.advance(by: .seconds(3_500))
        _ = try store.find(name(1))
        #expect(try noted() == first)
        clock.advance(by: .seconds(200))
        _ = try store.find(name(1))
        #expect(try noted() != first)
    }

    @Test("an open picture can be read to its end after it was evicted")
    func evictedWhileOpen() throws {
        defer { cleanUp() }
        let store = store()
        let open = try store.keep(picture(fill: 9), as: name(0))
        clock.advance(by: .seconds(10))
        try fill(store, 1..<12)
        #expect(try store.find(name(0)) == nil)
        #expect(try open.read(at: 0, upTo: 100) == Array(picture(fill: 9).content))
    }

    @Test(
        "foreign files are kept but neither counted nor served, old drafts removed, and damaged pictures replaced")
    func foreignFiles() throws {
        defer { cleanUp() }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let notes = Data(repeating: 1, count: 5_000)
        try notes.write(to: URL(filePath: "\(directory)/notes.txt"))
        try Data().write(to: URL(filePath: "\(directory)/\(try name(1))"))
        try Data("<html>".utf8).write(to: URL(filePath: "\(directory)/\(try name(2))"))
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory)/\(try name(3))", withDestinationPath: "/etc/passwd")
        try FileManager.default.createDirectory(
            atPath: "\(directory)/\(try name(4))", withIntermediateDirectories: true)
        let draft = "\(directory)/\(CoverDraft.prefix)\(try name(5))"
        try notes.write(to: URL(filePath: draft))
        try FileManager.default.setAttributes([.modificationDate: Date() - 120], ofItemAtPath: draft)
        let young = "\(directory)/\(CoverDraft.prefix)of-another-worker"
        try notes.write(to: URL(filePath: young))
        let store = store()
        #expect(try missing(store, 1..<6) == [1, 2, 3, 4, 5])
        for number in 1..<4 { _ = try store.keep(picture(), as: name(number)) }
        #expect(try missing(store, 1..<4) == [])
        #expect(!FileManager.default.fileExists(atPath: draft))
        #expect(FileManager.default.fileExists(atPath: young))
        try FileManager.default.removeItem(atPath: young)
        try fill(store, 10..<25)
        #expect(FileManager.default.fileExists(atPath: "\(directory)/notes.txt"))
        #expect(try store.find(name(24)) != nil)
        // A directory in place of a picture is not replaced, and no draft is left behind.
        #expect(throws: CoverStore.Failure.self) { try store.keep(picture(), as: name(4)) }
        #expect(try files().allSatisfy { !$0.hasPrefix(CoverDraft.prefix) })
    }

    @Test("if nothing can be written, the store throws, and pictures can be stored once writing works again")
    func unwritable() throws {
        defer { cleanUp() }
        try Data().write(to: URL(filePath: directory))
        let store = store()
        #expect(throws: CoverStore.Failure.self) { try store.keep(picture(), as: name(1)) }
        #expect(try store.find(name(1)) == nil)
        cleanUp()
        _ = try store.keep(picture(), as: name(1))
        #expect(try store.find(name(1)) != nil)
    }

    @Test(
        "on a full disk, a picture is not stored and no part of it is left, and a picture that fits is stored",
        .enabled(if: getuid() == 0))
    func fullDisk() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try #require(mount("tmpfs", directory, "tmpfs", 0, "size=64k") == 0)
        defer {
            umount2(directory, Int32(MNT_DETACH))
            cleanUp()
        }
        let store = store(limit: 1 << 20, in: directory + "/covers")
        _ = try store.keep(picture(30_000), as: name(1))
        #expect(throws: CoverStore.Failure.self) { try store.keep(picture(60_000), as: name(2)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory) == [name(1).description])
        _ = try store.keep(picture(10_000), as: name(2))
        #expect(try store.find(name(2))?.bytes == 10_000)
    }

    @Test("pictures that are stored concurrently leave no drafts behind, and their total size stays within the limit")
    func concurrency() async throws {
        defer { cleanUp() }
        let store = store(limit: 10_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { _ = try store.keep(picture(100 + number % 7), as: name(number % 120)) }
            }
            try await group.waitForAll()
        }
        let listing = try CoverListing(directory)
        #expect(listing.bytes <= 10_000)
        #expect(listing.bytes > 5_000)
        #expect(try files().allSatisfy { CoverName($0) != nil })
    }
}

@Suite("Missing covers")
struct MissingCoversTests {
    private func name(_ number: Int) throws -> CoverName {
        try CoverAddress("https://images.isbndb.com/\(number).jpg").name(.large)
    }

    @Test("a missing cover is remembered for five minutes, and the number of remembered covers is limited")
    func ttl() throws {
        let clock = SteppedClock()
        let start = clock.now
        var absences = MissingCovers(limit: 3)
        absences.insert(try name(1), now: start)
        #expect(try absences.contains(name(1), now: start.advanced(by: .seconds(299))))
        #expect(try !absences.contains(name(1), now: start.advanced(by: .seconds(300))))
        let later = start.advanced(by: .seconds(200))
        for number in 2..<5 { absences.insert(try name(number), now: later) }
        #expect(try !absences.contains(name(1), now: later), "the oldest one was evicted")
        #expect(try absences.contains(name(2), now: later))
        #expect(try absences.contains(name(4), now: later))
        absences.insert(try name(5), now: later)
        #expect(try absences.contains(name(5), now: later))
        #expect(try !absences.contains(name(4), now: later))
    }
}
