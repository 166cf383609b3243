import Foundation
import SuiteFixture

/// A tmpfs of a few megabytes that can be filled and emptied.
struct SmallDisk {
    /// Whether a tmpfs can be mounted, which requires root.
    static var isPossible: Bool { getuid() == 0 }

    let path: String
    private var ballast: String { path + "/ballast" }

    init(megabytes: Int) async throws {
        path = "/tmp/bt-disk-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            throw ServiceProcess.Failure(description: "mount: \(String(cString: strerror(errno)))")
        }
    }

    /// Fills all free space.
    func fill() throws {
        let file = open(ballast, O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { throw ServiceProcess.Failure(description: "cannot write to \(path)") }
        defer { close(file) }
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(file, block, block.count) == block.count {}
    }

    func makeRoom() throws { try FileManager.default.removeItem(atPath: ballast) }

    func unmount() async {
        umount2(path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(atPath: path)
    }
}
