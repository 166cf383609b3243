import ArgumentParser
import Foundation
import SuiteFixture

/// Memory of the three services at rest.
struct MemoryBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "memory", abstract: "Memory at rest")

    func run() async throws {
        try await Suite.run { suite in
            try await Task.sleep(for: .seconds(3))
            var total = 0.0
            for process in [suite.proxy, suite.host, suite.worker] {
                total += Double(try KernelUsage(pid: process.pid ?? 0).resident) / 1_000_000
            }
            Figure(name: "memory of the three services at rest", value: total, unit: "MB", reach: 100).report()
        }
    }
}

/// The kernel's figures of a running process (proc(5)).
struct KernelUsage {
    /// Resident memory, bytes.
    var resident: Int
    /// Peak resident memory, bytes.
    var peak: Int
    /// CPU time in user and kernel mode, seconds.
    var processorSeconds: Double

    init(pid: Int32) throws {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        func bytes(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
            return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
        }
        (resident, peak) = (bytes("VmRSS"), bytes("VmHWM"))
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // The command name in parentheses may contain spaces; fields 14 and 15 are counted from after it.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let ticks = (Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)
        processorSeconds = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
