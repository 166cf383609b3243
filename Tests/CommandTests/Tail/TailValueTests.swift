import ArgumentParser
import Observability
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("Values of tail's options, and the notice of dropped events")
struct TailValueTests {
    @Test(
        "a point in the past is a duration or a time with a time zone",
        arguments: [
            ("90s", PointInPast.ago(seconds: 90)), ("10m", .ago(seconds: 600)), ("2h", .ago(seconds: 7_200)),
            ("1d", .ago(seconds: 86_400)),
            ("366d", .ago(seconds: 31_622_400)), ("2026-11-21T10:00:00Z", .time(1_795_255_200_000)),
            ("2026-11-21T10:00:00.5Z", .time(1_795_255_200_500)),
            ("2026-11-21T11:00:00+01:00", .time(1_795_255_200_000)),
        ])
    func points(text: String, point: PointInPast) {
        #expect(PointInPast(argument: text) == point)
    }

    @Test(
        "only a valid duration or time is accepted as a point in the past",
        arguments: [
            "", "s", "0s", "-1m", "1", "1w", "367d", "1.5h", "2026-11-21", "2026-11-21T10:00:00", "now", "yesterday",
            "9223372036854775807d", "10 m",
        ])
    func noPoints(text: String) {
        #expect(PointInPast(argument: text) == nil)
    }

    @Test("a duration is counted back from now")
    func backwards() {
        #expect(PointInPast.ago(seconds: 90).milliseconds(now: 100_000) == 10_000)
        #expect(PointInPast.time(7).milliseconds(now: 100_000) == 7)
    }

    @Test(
        "a header filter is a name, or a name and a string",
        arguments: [
            ("User-Agent", "User-Agent", nil), ("User-Agent:curl", "User-Agent", "curl"),
            ("User-Agent: curl/8", "User-Agent", "curl/8"),
            ("A:b:c", "A", "b:c"), ("A:", "A", nil), ("A:  ", "A", nil), ("x!#$", "x!#$", nil),
        ] as [(String, String, String?)])
    func headers(text: String, name: String, value: String?) {
        #expect(HeaderCriterion(argument: text)?.header == TailFilter.Header(name: name, value: value))
    }

    @Test("a header name with invalid characters is rejected", arguments: ["", ":x", "a b", "é", "a(b", "a\"b"])
    func badHeaders(text: String) {
        #expect(HeaderCriterion(argument: text) == nil)
    }

    @Test(
        "an address is stored as services write it, and self stands for this machine's own addresses",
        arguments: [
            ("192.0.2.7", AddressCriterion.address("192.0.2.7"), ["192.0.2.7"]),
            ("2001:DB8:0::1", .address("2001:db8::1"), ["2001:db8::1"]),
            ("self", .own, ["::1", "127.0.0.1"]),
        ])
    func addresses(text: String, criterion: AddressCriterion, found: [String]) {
        #expect(AddressCriterion(argument: text) == criterion)
        #expect(criterion.addresses(own: ["::1", "127.0.0.1"]) == found)
    }

    @Test(
        "a host name or a network is not accepted as an address",
        arguments: ["", "localhost", "10.0.0", "10.0.0.0/8", "[::1]"])
    func badAddresses(text: String) {
        #expect(AddressCriterion(argument: text) == nil)
    }

    @Test(
        "a target is a service or all",
        arguments: [
            ("api-proxy", TailTarget.service(.apiProxy)), ("enrichment-worker", .service(.enrichmentWorker)),
            ("all", .all),
        ])
    func targets(text: String, target: TailTarget) {
        #expect(TailTarget(argument: text) == target)
    }

    @Test(
        "only the name of a service or worker, or `all`, is accepted as a target",
        arguments: ["", "worker", "API-PROXY", "enrichment-worker-", "enrichment-worker-B!"])
    func badTargets(text: String) {
        #expect(TailTarget(argument: text) == nil)
    }

    @Test("a worker with no socket is followed if it is named")
    func namedWorker() throws {
        let name = try #require(WorkerName("b"))
        #expect(
            TailTarget.services([.worker(name)], workers: [.enrichmentWorker]) == [ServiceInstance.worker(name)])
        #expect(TailTarget(argument: "enrichment-worker-b") == .worker(name))
    }

    @Test(
        "routine methods are included with --all, but not with a filter for another method",
        arguments: [
            (["--method", "GET"], nil), (["--all"], true), ([], nil),
        ] as [([String], Bool?)])
    func routine(arguments: [String], includes: Bool?) throws {
        let command = try #require(try TailCommand.parseAsRoot(arguments) as? TailCommand)
        #expect(command.criteria.filter(own: []).includesRoutine == includes)
    }

    @Test(
        "a notice states how many events were dropped",
        arguments: [
            (1, "… 1 event of api-proxy dropped: this reader is too slow"),
            (12, "… 12 events of api-proxy dropped: this reader is too slow"),
        ])
    func dropped(count: Int, text: String) {
        #expect(TailText.dropped(count, of: .apiProxy) == text)
    }
}
