import Foundation
import Glibc
import Observability
import ServiceKit
import SuiteMethods

/// Examines a directory: whether it exists, its permissions, and the free space on its file system.
struct DirectoryExamination {
    /// Less free space than this is reported as a problem: 64 MiB.
    private static let scarce = 64 << 20
    /// Less free space than this is reported as a warning: 1 GiB.
    private static let low = 1 << 30

    let path: String
    /// The directory's purpose, for example "data directory".
    let subject: String
    /// The error number of access(2) if this process may not enter or write to a directory; nil if it may.
    var denial: (String) -> Int32? = { Glibc.access($0, W_OK | X_OK) == 0 ? nil : errno }

    func findings() -> [Finding] {
        guard Glibc.access(path, F_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            return [
                .warning(
                    subject, "\(path): \(reason)",
                    advice:
                        "the services create it at startup if they have permission; otherwise correct the setting")
            ]
        }
        // `attributesOfItem` does not follow symbolic links.
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
            return .problem(subject, "\(statement): anyone can write to it", advice: "chmod o-w \(path)")
        }
        return switch denial(path) {
        case nil: .ok(subject, statement)
        // As in api-proxy's container. A service that needs to write to the directory reports the failure itself.
        case EROFS: .ok(subject, "\(statement), mounted read-only here")
        default:
            .warning(
                subject, "\(statement): you do not have permission to write to it",
                advice: "run the command as user \(owner) to see everything")
        }
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
            return [.problem(subject, statement, advice: "free up disk space; new jobs will soon be refused")]
        }
        if free < Self.low { return [.warning(subject, statement, advice: "free up disk space")] }
        return [.ok(subject, statement)]
    }

    private static func name(ofUser user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }
}

/// Compares api-proxy's open-file limit with the number of files that it may need. If api-proxy does not answer, or its limit cannot be read, this
/// command's limit is compared instead.
struct OpenFilesExamination {
    private static let subject = "open files"
    /// Open files reserved for ordinary requests, peers, the log and the runtime.
    private static let spare = 512

    /// The value of `BOOKSTRACK_MAX_SOCKETS` to use if api-proxy does not report its own.
    let sockets: Int

    func findings(_ proxy: ReadStatus.Result?) -> [Finding] {
        let wanted = (proxy?.proxy?.sockets.limit ?? sockets) + Self.spare
        guard let proxy, let limit = Self.limit(ofProcess: proxy.pid) else {
            return [compare(ProcessUsage.descriptorLimit ?? 0, wanted, who: "a program started from this shell")]
        }
        return [compare(limit, wanted, who: "api-proxy")]
    }

    private func compare(_ limit: Int, _ wanted: Int, who: String) -> Finding {
        let statement = "\(who) may open \(limit) files; BOOKSTRACK_MAX_SOCKETS needs \(wanted)"
        guard limit < wanted else { return .ok(Self.subject, statement) }
        return .warning(
            Self.subject, statement,
            advice: "raise the limit (LimitNOFILE=, ulimits: nofile, ulimit -n), or lower BOOKSTRACK_MAX_SOCKETS")
    }

    /// A process's soft limit; nil if it cannot be read (proc_pid_limits(5)).
    static func limit(ofProcess pid: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/limits", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Max open files") })
        else { return nil }
        return line.split(separator: " ").dropFirst(3).first.flatMap { $0 == "unlimited" ? .max : Int($0) }
    }
}

/// Checks that the wall clock is plausible: tokens, budgets and expiry depend on it.
struct ClockExamination: Sendable {
    private static let subject = "clock"
    /// The earliest plausible time, because no version of this program is older: 2025-01-01.
    private static let earliest = Date(timeIntervalSince1970: 1_735_689_600)
    private static let tolerance: TimeInterval = 60

    var clock: any SuiteClock = SystemClock()

    /// Compares the clock with the earliest plausible time and with the database file's modification time.
    func findings(database path: String) -> [Finding] {
        let now = clock.date
        let text = now.formatted(.iso8601)
        let advice = "set the clock and keep it synchronized (NTP)"
        guard now > Self.earliest else { return [.problem(Self.subject, "it shows \(text)", advice: advice)] }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        if let written = attributes?[.modificationDate] as? Date, written > now.addingTimeInterval(Self.tolerance) {
            return [
                .problem(
                    Self.subject, "it shows \(text), but \(path) was written at \(written.formatted(.iso8601))",
                    advice: advice)
            ]
        }
        return [.ok(Self.subject, text)]
    }
}
