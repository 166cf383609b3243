import ArgumentParser
import Foundation
import SuiteFixture

/// Memory of the three services at rest.
struct MemoryBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "memory", abstract: "Memory at rest")

    func run() async throws {
        try await Suite.run { suite in
            try await Task.sleep(for: .seconds(3))
            let services = [suite.proxy, suite.host, suite.worker].compactMap(\.pid)
            let resident = try services.reduce(0) { $0 + (try KernelUsage(pid: $1).resident) }
            let proportional = try services.reduce(0) { $0 + (try KernelUsage.proportional(pid: $1)) }
            Figure(
                name: "memory of the three services at rest", value: Double(resident) / 1_000_000, unit: "MB",
                reach: 90
            ).report()
            Figure(
                name: "the same, with shared pages counted once", value: Double(proportional) / 1_000_000, unit: "MB",
                reach: 90
            ).report()
        }
    }
}

/// The kernel's figures for a running process (proc(5)).
struct KernelUsage {
    /// Resident memory in bytes.
    var resident: Int
    /// Peak resident memory in bytes.
    var peak: Int
    /// CPU time in user and kernel mode, in seconds.
    var processorSeconds: Double

    init(pid: Int32) throws {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        (resident, peak) = (Self.bytes("VmRSS", in: status), Self.bytes("VmHWM", in: status))
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // The command name in parentheses may contain spaces; fields 14 and 15 are counted from its end.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let ticks = (Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)
        processorSeconds = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Proportional set size in bytes: a page mapped by several processes is divided equally between them.
    static func proportional(pid: Int32) throws -> Int {
        bytes("Pss", in: try String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8))
    }

    /// A figure in bytes, from a file with lines like "VmRSS:   1234 kB"; 0 if there is no such line.
    private static func bytes(_ name: String, in file: String) -> Int {
        let line = file.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
        return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
    }
}
