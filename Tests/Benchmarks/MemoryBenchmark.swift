import ArgumentParser
import Foundation
import SuiteFixture

/// Memory of the three services at rest.
struct MemoryBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "memory", abstract: "Memory at rest")

    func run() async throws {
        try await Suite.run { suite in
            try await Task.sleep(for: .seconds(3))
            let services = [suite.proxy, suite.host, suite.worker]
            let resident = try services.reduce(0) { $0 + (try KernelUsage(of: $1).resident) }
            let proportional = try services.reduce(0) { $0 + (try KernelUsage.proportional(of: $1)) }
            Figure(
                name: "memory of the three services at rest", value: Double(resident) / 1_000_000, unit: "MB",
                target: 90
            ).report()
            Figure(
                name: "the same, with shared pages counted once", value: Double(proportional) / 1_000_000, unit: "MB",
                target: 90
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

    init(of process: ServiceProcess) throws {
        let status = try Self.file("status", of: process)
        (resident, peak) = (Self.bytes("VmRSS", in: status), Self.bytes("VmHWM", in: status))
        let stat = try Self.file("stat", of: process)
        // The command name in parentheses may contain spaces; fields 14 and 15 are counted from its end.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let ticks = (Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)
        processorSeconds = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Proportional set size in bytes: a page mapped by several processes is divided equally between them.
    static func proportional(of process: ServiceProcess) throws -> Int {
        bytes("Pss", in: try file("smaps_rollup", of: process))
    }

    private static func file(_ name: String, of process: ServiceProcess) throws -> String {
        try String(contentsOfFile: "/proc/\(process.pid ?? 0)/\(name)", encoding: .utf8)
    }

    /// A figure in bytes, from a file with lines like "VmRSS:   1234 kB"; 0 if there is no such line.
    private static func bytes(_ name: String, in file: String) -> Int {
        let line = file.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
        return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
    }
}

/// Measures the CPU time of api-proxy and progress-host.
struct ProcessorTime {
    private let services: [(name: String, process: ServiceProcess, before: Double)]

    /// Starts the measurement.
    init(_ suite: Suite) throws {
        services = try [("api-proxy", suite.proxy), ("progress-host", suite.host)].map {
            ($0, $1, try KernelUsage(of: $1).processorSeconds)
        }
    }

    /// Prints the time that each service has used since the start, divided by the number of operations.
    func report(_ name: String, per count: Int) throws {
        for (service, process, before) in services {
            let used = try KernelUsage(of: process).processorSeconds - before
            Figure(name: "\(name) in \(service)", value: used / Double(max(1, count)) * 1_000_000, unit: "us").report()
        }
    }
}
