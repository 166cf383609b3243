import Foundation
import ServiceKit
import SuiteMethods
import Testing

/// Cached covers as api-proxy opens them: only regular files that contain images are opened.
@Suite("Cover files")
struct CoverFileTests {
    private static let name = CoverName(String(repeating: "0a", count: 32))!
    private static let png =
        [UInt8]([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Array(repeating: 7, count: 100)

    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private var path: String { "\(scratch.path)/\(Self.name)" }

    private func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

    private func open() -> CoverFile? { CoverFile(Self.name, in: scratch.path) }

    @Test("an image is opened with its type and size")
    func picture() throws {
        try write(Self.png)
        let file = try #require(open())
        #expect(file.type == .png)
        #expect(file.bytes == 108)
    }

    @Test("an image is read in parts, and never past its end")
    func parts() throws {
        try write(Self.png)
        let file = try #require(open())
        #expect(try file.read(at: 0, upTo: 4) == [0x89, 0x50, 0x4E, 0x47])
        #expect(try file.read(at: 104, upTo: 1_000) == [7, 7, 7, 7])
        #expect(try file.read(at: 108, upTo: 10) == [])
        #expect(try file.read(at: 500, upTo: 10) == [])
    }

    @Test("an open image stays readable after its file is deleted")
    func deleted() throws {
        try write(Self.png)
        let file = try #require(open())
        try FileManager.default.removeItem(atPath: path)
        #expect(try file.read(at: 0, upTo: 200) == Self.png)
        #expect(open() == nil)
    }

    @Test("text, an empty file and half of a signature are not images")
    func noPictures() throws {
        for bytes in [[], Array("<html>".utf8), Array(Self.png.prefix(4))] as [[UInt8]] {
            try write(bytes)
            #expect(open() == nil)
        }
    }

    @Test("an image larger than 8 MiB is not served")
    func tooLarge() throws {
        try write(Self.png)
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.truncate(atOffset: UInt64(CoverFile.largest))
        #expect(open()?.bytes == 8_388_608)
        try handle.truncate(atOffset: UInt64(CoverFile.largest) + 1)
        #expect(open() == nil)
        try handle.close()
    }

    @Test("links, directories and pipes are refused without blocking")
    func others() throws {
        let target = try scratch.file("target", "")
        try Data(Self.png).write(to: URL(filePath: target))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(open() == nil)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(open() == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(open() == nil)
    }

    @Test("the use of a cover is recorded at most once an hour, so serving covers causes few writes")
    func uses() throws {
        try write(Self.png)
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        #expect(CoverFile.mark(handle.fileDescriptor, asUsedAt: start))
        let file = try #require(open())
        #expect(!file.isUseDue(at: start + 3_600))
        #expect(file.isUseDue(at: start + 3_601))
        _ = CoverFile(Self.name, in: scratch.path, usedAt: start + 7_200)
        let marked = try #require(open())
        #expect(!marked.isUseDue(at: start + 7_200))
        #expect(!marked.isUseDue(at: start + 3_600))
        #expect(marked.isUseDue(at: start + 3_599), "the clock has been set back")
        try handle.close()
    }
}
