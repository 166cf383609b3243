import Foundation
import Glibc

/// Checks whether a directory exists, which user owns it, who may write to it, and how much room it has.
struct DirectoryExamination {
    /// Less room than this stops the services soon: 64 MiB.
    private static let scarce = 64 << 20
    /// Less room than this is worth a word: 1 GiB.
    private static let low = 1 << 30

    let path: String
    /// What it is for.
    let subject: String

    func findings() -> [Finding] {
        guard Glibc.access(path, F_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            return [
                .warning(
                    subject, "\(path): \(reason)",
                    advice:
                        "the services create it when they start, if permitted; otherwise correct its variable")
            ]
        }
        // What a link leads to counts, not the link.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
            attributes[.type] as? FileAttributeType == .typeDirectory
        else {
            return [.problem(subject, "\(path) is not a directory", advice: "remove the file, or set another path")]
        }
        let mode = (attributes[.posixPermissions] as? Int ?? 0) & 0o7777
        let user = attributes[.ownerAccountID] as? uid_t ?? 0
        return [access(mode: mode, owner: Self.name(ofUser: user))] + space
    }

    private func access(mode: Int, owner: String) -> Finding {
        let statement = "\(path) belongs to user \(owner), mode \(String(mode, radix: 8))"
        if mode & 0o002 != 0 {
            return .problem(subject, "\(statement): anyone may write to it", advice: "chmod o-w \(path)")
        }
        if Glibc.access(path, W_OK | X_OK) != 0 {
            return .warning(
                subject, "\(statement): this user may not write to it",
                advice: "run the command as \(owner) to see everything")
        }
        return .ok(subject, statement)
    }

    private var space: [Finding] {
        var volume = statvfs()
        guard statvfs(path, &volume) == 0 else { return [] }
        let free = Int(clamping: UInt64(volume.f_bavail) * UInt64(volume.f_frsize))
        let statement = "\(ByteCount.text(free)) free"
        if volume.f_files > 0, volume.f_favail == 0 {
            return [
                .problem(subject, "no inodes are free", advice: "delete unneeded files on its file system")
            ]
        }
        if free < Self.scarce {
            return [.problem(subject, statement, advice: "free disk space; new jobs will soon be refused")]
        }
        if free < Self.low { return [.warning(subject, statement, advice: "free disk space")] }
        return [.ok(subject, statement)]
    }

    private static func name(ofUser user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }
}
