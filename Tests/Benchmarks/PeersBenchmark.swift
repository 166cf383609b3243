import ArgumentParser
import Foundation
import Subprocess
import SuiteFixture

/// BooksTrack's frames compared with the messages of other programs, on the same machine in alternating rounds.
struct PeersBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Frames compared with nchan and redis (append-only file), in alternating rounds on fixed CPUs",
        discussion: """
            Requires libnginx-mod-nchan and redis-server from Debian; a program that is not installed is omitted. The services run on one CPU \
            and the clients on another, and the median of all rounds is printed. nchan loses its messages when its process ends. Like \
            BooksTrack, redis writes each message to a file before a subscriber receives it; its subscribers do not use WebSockets.
            """)

    @Option(help: "Number of rounds.")
    var rounds = 5
    @Option(help: "Duration of each measurement, in seconds.")
    var seconds = 3
    @Option(help: "CPU of the services, and CPU of the clients.")
    var processors = [1, 0]

    /// The measurements of each program.
    private enum Part: String, CaseIterable {
        case paced = "1 000/s over 100 jobs"
        case loop = "closed loop, 100 x 1"
        case wide = "closed loop, 100 x 10"
        case fan = "1 -> 1 000"

        var jobs: Int { self == .fan ? 1 : 100 }
        /// Number of watchers of each job.
        var watchers: Int {
            switch self {
            case .paced, .loop: 1
            case .wide: 10
            case .fan: 1_000
            }
        }
        /// Number of items that each job has for each second of the measurement; more than can be recorded.
        var items: Int {
            switch self {
            case .paced: 20
            case .loop: 1_000
            case .wide: 300
            case .fan: 100
            }
        }
    }

    private struct Reading {
        var name: String
        var unit: String
        var value: Double
    }

    func run() async throws {
        guard processors.count == 2 else { throw ValidationError("--processors requires two numbers") }
        let peers = PeerProcess.Kind.allCases.filter(\.isInstalled)
        for kind in PeerProcess.Kind.allCases where !kind.isInstalled { print("\(kind.rawValue) is not installed") }
        try await pin(ProcessInfo.processInfo.processIdentifier, to: processors[1])
        var readings: [String: [Reading]] = [:]
        for _ in 0..<rounds {
            for part in Part.allCases {
                for kind in peers {
                    readings["\(part.rawValue), \(kind.rawValue)", default: []] += try await measure(part, kind)
                }
                readings["\(part.rawValue), bookstrack", default: []] += try await measure(part)
            }
        }
        for part in Part.allCases {
            for name in peers.map(\.rawValue) + ["bookstrack"] { report("\(part.rawValue), \(name)", readings) }
        }
    }

    private func report(_ subject: String, _ readings: [String: [Reading]]) {
        let groups = Dictionary(grouping: readings[subject] ?? [], by: \.name)
        for (name, all) in groups.sorted(by: { $0.key < $1.key }) {
            let middle = all.map(\.value).sorted()[all.count / 2]
            Figure(name: "\(subject): \(name)", value: middle, unit: all[0].unit).report()
        }
    }

    private func measure(_ part: Part, _ kind: PeerProcess.Kind) async throws -> [Reading] {
        let peer = try await PeerProcess(kind)
        try await pin(peer.process.pid ?? 0, to: processors[0])
        let loop = ClientLoop()
        defer { loop.end() }
        let publisher = try await PeerPublisher(peer, jobs: part.jobs, on: loop)
        let crowd = FrameCrowd(peer.address, on: loop)
        let jobs = (0..<part.jobs).flatMap { Array(repeating: $0, count: part.watchers) }
        switch kind {
        case .nchan:
            try await crowd.join(
                jobs.map { WebSocketReader("/subscribe?job=job\($0)", at: peer.address, isGreeted: false) })
        case .redis: try await crowd.join(jobs.map { RedisReader(subscribingTo: "job\($0)") })
        }
        let run = FrameRun(crowd, jobs: part.jobs, items: part.items * seconds, watchers: part.watchers) { job, _ in
            publisher.publish(job)
        }
        let readings = try await measure(part, run, of: [peer.process])
        await peer.end()
        return readings
    }

    private func measure(_ part: Part) async throws -> [Reading] {
        try await Suite.run(SuiteFrames.options) { suite in
            await suite.worker.end()
            for process in [suite.host, suite.proxy] { try await pin(process.pid ?? 0, to: processors[0]) }
            let frames = try await SuiteFrames(
                suite, jobs: part.jobs, items: part.items * seconds, watchers: part.watchers)
            let readings = try await measure(part, frames.run, of: [suite.proxy, suite.host])
            await frames.end()
            return readings
        }
    }

    private func measure(_ part: Part, _ run: FrameRun, of processes: [ServiceProcess]) async throws -> [Reading] {
        let before = try processorSeconds(processes)
        var readings: [Reading]
        switch part {
        case .paced: readings = Self.readings(try await run.paced(rate: 1_000, seconds: seconds))
        case .fan: readings = Self.readings(try await run.fan(rounds: 20 * seconds))
        case .loop, .wide:
            let rate = try await run.closedLoop(for: .seconds(seconds))
            readings = [.init(name: "messages", unit: "/s", value: rate)]
        }
        let count = try await run.count
        let used = (try processorSeconds(processes) - before) / Double(max(1, count.frames)) * 1_000_000
        readings.append(.init(name: "CPU time per message", unit: "us", value: used))
        readings.append(.init(name: "lost, duplicated or out of order", unit: "", value: Double(count.misplaced)))
        return readings
    }

    private static func readings(_ latencies: Latencies) -> [Reading] {
        [50, 99].map { .init(name: "p\(Int($0))", unit: "us", value: latencies.microseconds($0)) }
    }

    private func processorSeconds(_ processes: [ServiceProcess]) throws -> Double {
        try processes.reduce(0) { $0 + (try KernelUsage(of: $1).processorSeconds) }
    }

    /// Binds every thread of a process to one CPU.
    private func pin(_ pid: Int32, to processor: Int) async throws {
        _ = try await Subprocess.run(
            .name("taskset"), arguments: ["-a", "-c", "-p", "\(processor)", "\(pid)"], output: .discarded,
            error: .discarded)
    }
}
