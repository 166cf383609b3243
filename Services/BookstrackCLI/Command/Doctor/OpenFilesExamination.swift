import Foundation
import SuiteMethods

/// Compares how many files api-proxy may have open with how many sockets it is to hold.
struct OpenFilesExamination {
    private static let subject = "open files"
    /// For connections of other requests, the peers, the log and the runtime.
    private static let spare = 512

    /// `BOOKSTRACK_MAX_SOCKETS` as this command sees it.
    let sockets: Int

    func findings(_ proxy: ReadStatus.Result?) -> [Finding] {
        let wanted = (proxy?.proxy?.sockets.limit ?? sockets) + Self.spare
        guard let proxy, let limit = Self.limit(ofProcess: proxy.pid) else {
            return [compare(Self.ownLimit, wanted, who: "a program that is started from here")]
        }
        return [compare(limit, wanted, who: "api-proxy")]
    }

    private func compare(_ limit: Int, _ wanted: Int, who: String) -> Finding {
        let statement = "\(who) may open \(limit), BOOKSTRACK_MAX_SOCKETS needs \(wanted)"
        guard limit < wanted else { return .ok(Self.subject, statement) }
        return .warning(
            Self.subject, statement,
            advice: "raise the limit (LimitNOFILE=, ulimits: nofile, ulimit -n), or lower BOOKSTRACK_MAX_SOCKETS")
    }

    /// The soft limit of a process; nil when it cannot be read (proc_pid_limits(5)).
    static func limit(ofProcess pid: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/limits", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Max open files") })
        else { return nil }
        return line.split(separator: " ").dropFirst(3).first.flatMap { $0 == "unlimited" ? .max : Int($0) }
    }

    private static var ownLimit: Int {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? Int(clamping: limit.rlim_cur) : 0
    }
}
