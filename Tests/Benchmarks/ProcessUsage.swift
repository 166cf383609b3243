import Foundation

/// What the kernel says of a running process (proc(5)).
struct ProcessUsage {
    /// Resident memory, bytes.
    var resident: Int
    /// Processor time in user and kernel mode, seconds.
    var processorSeconds: Double

    init(pid: Int32) throws {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        resident = (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // The command name in parentheses may hold spaces; fields 14 and 15 count from after it.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let ticks = (Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)
        processorSeconds = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
