import BookstrackContract
import Foundation
import SuiteMethods
import Testing

@testable import ProgressHost

/// A file system of its own that can be full: a small tmpfs, which only root can make.
struct SmallDisk: ~Copyable {
    let directory: URL
    private let filler: URL

    init(megabytes: Int) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        filler = directory.appending(path: "filler")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        guard mount("tmpfs", directory.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            throw CocoaError(.featureUnsupported)
        }
    }

    static let canBeMade: Bool = {
        guard getuid() == 0 else { return false }
        return (try? SmallDisk(megabytes: 1)) != nil
    }()

    deinit {
        umount2(directory.path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(at: directory)
    }

    /// Writes until nothing fits any more.
    func fill() throws {
        let descriptor = open(filler.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(descriptor, block, block.count) > 0 {}
    }

    func free() throws { try FileManager.default.removeItem(at: filler) }
}

@Suite("Full disk", .enabled(if: SmallDisk.canBeMade, "needs root, to mount a small tmpfs"))
struct FullDiskTests {
    @Test("a full disk refuses starts and outcomes, keeps sockets and reads served, and is over without a restart")
    func fullDisk() throws {
        let disk = try SmallDisk(megabytes: 8)
        let host = try TestHost(in: disk.directory.appending(path: "data"))
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        let socket = try host.watch(token: job.token)
        try disk.fill()
        let books = (0..<500).map { BookQuery(title: "Book \($0)" + String(repeating: "x", count: 200)) }
        #expect(throws: HostFailure.self) { try host.create(JobID("other-job")!, books) }
        guard case .refusing = host.reports.last else {
            Issue.record("storage does not refuse")
            return
        }
        #expect(throws: HostFailure.self) { try worker.record(items) }
        #expect(try host.state(token: job.token).status == .processing)
        host.advance(by: .seconds(10))
        #expect(host.proxy.take(socket).close == nil)
        try disk.free()
        host.advance(by: .seconds(1))
        #expect(host.reports.last == .working)
        try worker.record(items)
        #expect(host.proxy.take(socket).story.suffix(2) == ["job_complete", "close 1000"])
        #expect(try host.create(JobID("other-job")!, books).totalCount == 500)
        try host.restart()
        #expect(try host.state(token: job.token).successCount == 3)
    }
}
