import Foundation
import ImageFiles
import NIOCore
import TestSupport
import Testing

@testable import APIProxy

@Suite("Photos without their metadata") struct StrippedPhotoTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "photo-\(UUID().uuidString)").path

    /// Opens a file with this content, and deletes it.
    private func open(_ content: [UInt8]) throws -> StrippedPhoto? {
        try Data(content).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return StrippedPhoto(path: path)
    }

    @Test(
        "a photo can be read in parts of any size without its metadata, although its file was deleted",
        arguments: SampleImage.allCases)
    func parts(_ image: SampleImage) throws {
        let photo = try #require(try open(image.file))
        let cleaned = try ImageMetadata.removal(from: image.file).joined(from: image.file)
        #expect(photo.length == cleaned.count)
        for size in [1, 7, 100, cleaned.count] {
            var bytes: [UInt8] = []
            while bytes.count < photo.length {
                let count = min(size, photo.length - bytes.count)
                bytes += try photo.read(at: bytes.count, count: count).readableBytesView
            }
            #expect(bytes == cleaned, "parts of \(size) bytes")
        }
    }

    @Test("a file that is missing or not a photo cannot be opened")
    func unreadable() throws {
        #expect(StrippedPhoto(path: path) == nil)
        #expect(try open(Array("text".utf8)) == nil)
        #expect(try open([]) == nil)
    }
}
