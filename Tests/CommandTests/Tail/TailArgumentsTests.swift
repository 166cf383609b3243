import ArgumentParser
import BookstrackContract
import Foundation
import Logging
import Observability
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("The arguments of tail")
struct TailArgumentsTests {
    private func command(_ arguments: String...) throws -> TailCommand {
        try #require(try TailCommand.parseAsRoot(arguments) as? TailCommand)
    }

    @Test(
        "with no service or `all`, every service is followed, and a service that is given twice is followed once",
        arguments: [
            ([], ServiceInstance.standard), (["all"], ServiceInstance.standard),
            (["api-proxy", "all"], ServiceInstance.standard), (["progress-host"], [.progressHost]),
            (["enrichment-worker", "api-proxy", "api-proxy"], [.apiProxy, .enrichmentWorker]),
            (["enrichment-worker-b"], [.worker(WorkerName("b")!)]),
            (["enrichment-worker-main"], [.enrichmentWorker]),
        ])
    func services(names: [String], services: [ServiceInstance]) throws {
        let command = try #require(try TailCommand.parseAsRoot(names) as? TailCommand)
        #expect(TailTarget.services(command.targets, workers: [.enrichmentWorker]) == services)
    }

    @Test("enrichment-worker means all workers, and a worker's name means that worker")
    func workers() throws {
        let workers = [ServiceInstance.enrichmentWorker, .worker(WorkerName("b")!)]
        let all = try command("enrichment-worker").targets
        #expect(TailTarget.services(all, workers: workers) == workers)
        let one = try command("enrichment-worker-b").targets
        #expect(TailTarget.services(one, workers: workers) == [workers[1]])
        #expect(TailTarget.services([], workers: workers) == [.apiProxy, .progressHost] + workers)
        #expect(throws: (any Error).self) { try command("enrichment-worker-B!") }
    }

    @Test("filter options are passed to the filter")
    func filter() throws {
        let job = "8b1c22d0-5b1e-4c7e-9d3f-6f0e8a1b2c3d"
        let command = try command(
            "--status", "error", "--status", "canceled", "--method", "GET", "--method", "jobs.claim",
            "--header", "X-Request-ID", "--header", "User-Agent: curl/8:1", "--search", "time out",
            "--ip", "192.0.2.7", "--ip", "2001:DB8:0::1", "--ip", "self", "--sampling-rate", "0.25", "--job", job,
            "--level", "warning")
        let filter = command.criteria.filter(own: ["127.0.0.1"])
        #expect(filter.outcomes == [.error, .canceled])
        #expect(filter.methods == ["GET", "jobs.claim"])
        #expect(
            filter.headers == [.init(name: "X-Request-ID", value: nil), .init(name: "User-Agent", value: "curl/8:1")])
        #expect(filter.search == "time out")
        #expect(filter.addresses == ["192.0.2.7", "2001:db8::1", "127.0.0.1"])
        #expect(filter.samplingRate == 0.25)
        #expect(filter.jobID == job)
        #expect(filter.level == .warning)
    }

    @Test("without options, there is no filter and no replay")
    func nothing() throws {
        let command = try command()
        #expect(command.criteria.filter() == TailFilter())
        #expect(command.replay(now: 0) == nil)
        #expect(command.format == nil)
    }

    @Test("this machine's own addresses include loopback, and are in the notation that the services use")
    func own() {
        let own = OwnAddresses.read()
        #expect(own.contains("127.0.0.1"))
        #expect(own.contains("::1"))
        #expect(own.allSatisfy { AddressCriterion(argument: $0) == .address($0) })
    }

    @Test(
        "--since accepts a duration or a time",
        arguments: [
            ("90s", 910_000), ("10m", 400_000), ("2h", 1_000_000 - 7_200_000), ("1d", 1_000_000 - 86_400_000),
            ("1970-01-01T00:00:05Z", 5_000), ("1970-01-01T00:00:05.250Z", 5_250), ("1970-01-01T01:00:00+01:00", 0),
        ] as [(String, Int64)])
    func since(text: String, milliseconds: Int64) throws {
        let replay = try #require(try command("--since", text, "--last", "7").replay(now: 1_000_000))
        #expect(replay.since == milliseconds)
        #expect(replay.last == 7)
    }

    @Test(
        "invalid arguments are rejected with status 64 and an error that names them",
        arguments: [
            ["worker"], ["--format", "xml"], ["--status", "failed"], ["--sampling-rate", "0"],
            ["--sampling-rate", "1"], ["--sampling-rate", "nan"], ["--header", ":x"], ["--header", "a b:x"],
            ["--ip", "localhost"], ["--ip", "10.0.0"], ["--json", "--format", "pretty"], ["--level", "loud"],
            ["--since", "0m"],
            ["--since", "10"], ["--since", "10w"], ["--since", "9999999999999999999d"], ["--since", "yesterday"],
            ["--since", "2999-01-01T00:00:00Z"], ["--last", "0"], ["--search", ""], ["--method", ""],
        ])
    func refused(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) { try TailCommand.parseAsRoot(arguments) }
        #expect(TailCommand.exitCode(for: error).rawValue == ExitStatus.usage.rawValue)
        let message = TailCommand.message(for: error)
        #expect(arguments.contains { !$0.isEmpty && message.contains($0) })
    }
}
