import Foundation

/// What `/proc/self/stat` says of this process (proc_pid_stat(5)); readable also where a sandbox hides the rest of `/proc`, as systemd's
/// `ProcSubset=pid` does.
package struct ProcessStat {
    /// The fields from the third on, each a number but the first.
    private let fields: [Substring]

    /// This process's now; nil where it cannot be read.
    package static var current: ProcessStat? {
        guard let file = FileHandle(forReadingAtPath: "/proc/self/stat"), let bytes = try? file.readToEnd()
        else { return nil }
        return String(bytes: bytes, encoding: .utf8).flatMap(ProcessStat.init)
    }

    /// The second field, the program's name in parentheses, may itself hold blanks and parentheses.
    init?(_ text: String) {
        guard let end = text.lastIndex(of: ")") else { return nil }
        fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
    }

    /// Time on a processor, in user and kernel.
    var processorTime: Duration? {
        guard let user = number(14), let system = number(15) else { return nil }
        return Self.duration(ticks: user + system)
    }

    var threads: Int64? { number(20) }

    /// From the machine's start to the process's, as exact as the kernel's clock tick, a hundredth of a second.
    var start: Duration? { number(22).map(Self.duration) }

    /// The time since the process was started, with the machine's sleep.
    package var age: Duration? {
        guard let start else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return max(.zero, .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec) - start)
    }

    /// A field by its number in the manual.
    private func number(_ field: Int) -> Int64? {
        fields.indices.contains(field - 3) ? Int64(fields[field - 3]) : nil
    }

    private static func duration(ticks: Int64) -> Duration {
        .nanoseconds(ticks * (1_000_000_000 / Int64(sysconf(CInt(_SC_CLK_TCK)))))
    }
}
