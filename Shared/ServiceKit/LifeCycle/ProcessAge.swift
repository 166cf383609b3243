import Foundation

/// How long this process exists.
enum ProcessAge {
    /// The time since the process was started, from its start time in `/proc/self/stat` (proc_pid_stat(5)); nil where that cannot be
    /// read. As exact as the kernel's clock tick, a hundredth of a second.
    static var current: Duration? {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let started = startTicks(inStat: text)
        else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let start = Duration.nanoseconds(started * (1_000_000_000 / Int64(sysconf(CInt(_SC_CLK_TCK)))))
        return max(.zero, .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec) - start)
    }

    /// Field 22. The second field, the program's name in parentheses, may itself hold blanks and parentheses.
    static func startTicks(inStat text: String) -> Int64? {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? Int64(fields[19]) : nil
    }
}
