import BookstrackContract
import Crypto
import Foundation
import Glibc
import NIOCore
import SuiteMethods
import Testing
@testable import APIProxy

@Suite("Uploaded files on disk") struct UploadDirectoryTests {
    private final class Scratch {
        let directory: UploadDirectory

        init() throws {
            let path = FileManager.default.temporaryDirectory.path + "/uploads-\(UUID().uuidString.prefix(8))"
            directory = UploadDirectory(path: path)
            try directory.prepare()
        }

        deinit { try? FileManager.default.removeItem(atPath: directory.path) }

        var incoming: [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: directory.path + "/.incoming")) ?? []
        }
    }

    private let scratch: Scratch
    private var directory: UploadDirectory { scratch.directory }

    init() throws { scratch = try Scratch() }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func file(_ text: String) throws -> IncomingFile {
        let file = try directory.makeFile(named: "file")
        try file.append(ByteBuffer(string: text))
        return file
    }

    @Test("no other user may read a file or list its folder")
    func modes() throws {
        let file = try file("a")
        #expect(try mode(directory.path) == 0o700)
        #expect(try mode(file.folder) == 0o700)
        #expect(try mode(file.path) == 0o600)
    }

    @Test("digest, size and line count are the same, whatever the sizes of the pieces")
    func contents() throws {
        let text = "a\r\nb\nc\rd\r\r\ne"
        for length in 1...text.utf8.count {
            let file = try directory.makeFile(named: "file")
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: length) {
                try file.append(ByteBuffer(bytes: bytes[start..<min(start + length, bytes.count)]))
            }
            try file.sync()
            #expect(file.contents.bytes == bytes.count)
            #expect(file.contents.lineEnds == 5)
            #expect(file.contents.sha256 == SHA256.hash(data: bytes).hexadecimal)
            #expect(try Data(contentsOf: URL(filePath: file.path)) == Data(bytes))
        }
    }

    @Test("a kept file is stored under its job identifier, and a second file for that job changes nothing")
    func kept() throws {
        let (first, second) = (try file("first"), try file("second"))
        #expect(try directory.keep(first, as: "job-12345"))
        #expect(try !directory.keep(second, as: "job-12345"))
        first.remove()
        second.remove()
        let kept = directory.path + "/job-12345/file"
        #expect(try String(contentsOf: URL(filePath: kept), encoding: .utf8) == "first")
        #expect(scratch.incoming.isEmpty)
        #expect(directory.storedBytes() == 5)
    }

    @Test("a sweep deletes unlocked files that were last written to before a given time")
    func sweep() throws {
        let held = try file("held")
        var left: IncomingFile? = try file("left")
        let folder = try #require(left?.folder)
        #expect(directory.sweep(writtenBefore: .distantFuture) == 0)
        left = nil
        #expect(directory.sweep(writtenBefore: Date(timeIntervalSinceNow: -60)) == 0)
        #expect(directory.sweep(writtenBefore: .distantFuture) == 1)
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(FileManager.default.fileExists(atPath: held.path))
    }

    @Test("a sweep deletes no file of an upload whose files arrived in a different order")
    func sweepAfterRenaming() throws {
        let first = try directory.makeFile(named: "photo-0")
        let second = try IncomingFile(beside: first, named: "photo-1")
        for (file, name) in [(first, "arrived"), (second, "photo-0"), (first, "photo-1")] {
            try file.rename(to: name)
            #expect(directory.sweep(writtenBefore: .distantFuture) == 0)
        }
        #expect(FileManager.default.fileExists(atPath: first.path))
        #expect(FileManager.default.fileExists(atPath: second.path))
    }

    @Test("every file of an upload is locked", arguments: ["photo-0", "photo-1"])
    func locks(name: String) throws {
        let first = try directory.makeFile(named: "photo-0")
        let second = try IncomingFile(beside: first, named: "photo-1")
        let descriptor = open("\(first.folder)/\(name)", O_RDONLY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == -1)
        withExtendedLifetime(second) {}
    }

    @Test("a sweep does not delete a folder with a file that it cannot open")
    func unopened() throws {
        let folder = directory.path + "/.incoming/folder"
        mkdir(folder, 0o700)
        #expect(symlink("missing", folder + "/photo-0") == 0)
        #expect(directory.sweep(writtenBefore: .distantFuture) == 0)
        #expect(scratch.incoming == ["folder"])
    }

    @Test("a sweep also deletes folders without files and files without folders")
    func remains() throws {
        mkdir(directory.path + "/.incoming/empty", 0o700)
        try Data().write(to: URL(filePath: directory.path + "/.incoming/stray"))
        #expect(directory.sweep(writtenBefore: .distantFuture) == 2)
        #expect(scratch.incoming.isEmpty)
    }

    @Test("directories deleted while the service is running are created again")
    func vanished() throws {
        try FileManager.default.removeItem(atPath: directory.path)
        #expect(try file("a").contents.bytes == 1)
    }

    @Test("a full disk has its own error, and the response tells the client that it may try again")
    func full() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        let file = IncomingFile(folder: directory.path, descriptor: descriptor)
        #expect(throws: UploadFault.diskFull) { try file.append(ByteBuffer(string: "a")) }
        let failure = try #require(APIFailure(answering: UploadFault.diskFull))
        #expect(failure.code == .serviceUnavailable)
        #expect(failure.retryAfter == 60)
        #expect(APIFailure(answering: UploadFault.system(EIO)) == .internalError)
    }
}

@Suite("Admitting uploads") struct UploadLimiterTests {
    @Test("concurrent uploads are limited in total and per client, and a finished upload releases its permit")
    func concurrent() throws {
        let limiter = UploadLimiter(.init(running: 3, runningPerClient: 2, bytes: 1_000))
        let (one, two) = (try client("192.0.2.1"), try client("192.0.2.2"))
        var permits = try [one, one, two].map { try limiter.enter($0, bytes: 1, stored: 0) }
        #expect(limiter.count == 3)
        #expect(throws: APIFailure.self) { try limiter.enter(two, bytes: 1, stored: 0) }
        permits.removeFirst()
        permits.append(try limiter.enter(two, bytes: 1, stored: 0))
        permits.removeLast()
        permits.append(try limiter.enter(one, bytes: 1, stored: 0))
        permits.removeAll { _ in true }
        permits = try [one, one].map { try limiter.enter($0, bytes: 1, stored: 0) }
        #expect(throws: APIFailure.self) { try limiter.enter(one, bytes: 1, stored: 0) }
    }

    @Test("bytes already stored and bytes that may still arrive both count toward the limit")
    func bytes() throws {
        let limiter = UploadLimiter(.init(bytes: 100))
        let one = try client("192.0.2.1")
        let permit = try limiter.enter(one, bytes: 60, stored: 0)
        let refusal = #expect(throws: APIFailure.self) { try limiter.enter(one, bytes: 30, stored: 11) }
        #expect(refusal?.code == .serviceUnavailable)
        #expect(refusal?.retryAfter == 30)
        _ = try limiter.enter(one, bytes: 30, stored: 10)
        withExtendedLifetime(permit) {}
    }
}
