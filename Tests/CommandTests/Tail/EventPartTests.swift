import Logging
import Observability
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("Parts of an event's line")
struct EventPartTests {
    @Test(
        "a request's outcome is its status, in the status's color",
        arguments: [
            (200, ANSIStyle.green), (204, .green), (301, .cyan), (304, .cyan), (400, .yellow), (404, .yellow),
            (499, .yellow),
            (500, .red), (503, .red),
        ])
    func statuses(status: Int, style: ANSIStyle) throws {
        let event = try TailSamples.request(status: status, outcome: status >= 500 ? .error : .ok)
        #expect(EventOutcomeText.of(event) == StyledText("\(status)", style))
    }

    @Test(
        "a failed request with a status below 500 is marked, and one whose client left is shown as canceled, whatever the status"
    )
    func failures() throws {
        #expect(
            EventOutcomeText.of(try TailSamples.request(status: 200, outcome: .error)) == StyledText("200 error", .red))
        #expect(
            EventOutcomeText.of(try TailSamples.request(status: 500, outcome: .canceled))
                == StyledText("canceled", .yellow))
    }

    @Test("an RPC call's outcome is shown as a word instead of a status")
    func words() throws {
        var call = try TailSamples.call()
        #expect(EventOutcomeText.of(call) == StyledText("ok", .green))
        call.outcome = .error
        #expect(EventOutcomeText.of(call) == StyledText("error", .red))
    }

    @Test(
        "a log line shows its level, in the level's color",
        arguments: [
            (Logger.Level.trace, ANSIStyle.dim), (.debug, .dim), (.info, .plain), (.notice, .cyan), (.warning, .yellow),
            (.error, .red),
            (.critical, .red),
        ])
    func levels(level: Logger.Level, style: ANSIStyle) throws {
        #expect(EventOutcomeText.of(try TailSamples.logged(level, "x")) == StyledText(level.rawValue, style))
        #expect(level.rawValue.count <= EventOutcomeText.columns)
    }

    @Test("an event's subject is the request, the call with its code, or the job step with its item")
    func subjects() throws {
        let request = EventSubjectText.of(try TailSamples.request("/v1/search/title?q=dune"))
        #expect(request.text(colors: false) == "GET /v1/search/title?q=dune")
        let call = EventSubjectText.of(try TailSamples.call("jobs.create", code: "JOB_EXISTS"))
        #expect(call.text(colors: false) == "rpc jobs.create JOB_EXISTS")
        #expect(EventSubjectText.of(try TailSamples.step()).text(colors: false) == "job recorded #12 found")
        #expect(EventSubjectText.of(try TailSamples.logged(.info, "x")).text(colors: false).isEmpty)
    }

    @Test("to save space, the client's address is dropped first, then identifiers are shortened, and finally dropped")
    func identifiers() throws {
        let event = try TailSamples.request(job: TailSamples.job)
        #expect(
            EventSubjectText.identifiers(event).map { $0.text(colors: false) } == [
                "from 127.0.0.1  req 0e0e4736  job \(TailSamples.job)", "req 0e0e4736  job \(TailSamples.job)",
                "req 0e0e4736  job 8b1c22d0", "job 8b1c22d0", "",
            ])
    }

    @Test(
        "a request identifier chosen by a client is shown in full if it is short",
        arguments: [
            ("abc", "req abc"), ("0123456789abcdef", "req 0123456789abcdef"), ("0123456789abcdefg", "req 9abcdefg"),
        ])
    func requestIdentifiers(identifier: String, shown: String) throws {
        var event = try TailSamples.call()
        event.requestId = identifier
        #expect(EventSubjectText.identifiers(event).first?.text(colors: false) == shown)
    }

    private func lines(_ line: TailEvent.Line, columns: Int?) throws -> [String] {
        LoggedText.lines(line, of: try TailSamples.request(job: TailSamples.job), columns: columns)
            .map { $0.text(colors: false) }
    }

    @Test("metadata follows the message, sorted by name and without values that the event already shows")
    func metadata() throws {
        let line = TailSamples.line(
            .info, "job accepted",
            ["zeta": "1", "items": "3", "jobId": TailSamples.job, "requestId": "4bf92f3577b34da6a3ce929d0e0e4736"])
        #expect(try lines(line, columns: nil) == ["job accepted  items=3 zeta=1"])
        #expect(try lines(TailSamples.line(.info, "x", ["jobId": "other"]), columns: nil) == ["x  jobId=other"])
    }

    @Test("metadata that does not fit beside its message is placed below it")
    func narrow() throws {
        let line = TailSamples.line(.info, "job accepted", ["items": "3"])
        #expect(try lines(line, columns: 21) == ["job accepted  items=3"])
        #expect(try lines(line, columns: 20) == ["job accepted", "items=3"])
        #expect(try lines(line, columns: 8) == ["job", "accepted", "items=3"])
    }

    @Test("a line with no message consists of its metadata, and a line with neither is empty")
    func withoutMessage() throws {
        #expect(try lines(TailSamples.line(.info, "", ["a": "1"]), columns: nil) == ["a=1"])
        #expect(try lines(TailSamples.line(.info, ""), columns: nil) == [""])
    }

    @Test(
        "an exception is shown as its name and its message",
        arguments: [
            ("IOError", "broken pipe", ["IOError: broken pipe"]), ("IOError", "", ["IOError"]),
            ("E", "a\nb", ["E: a", "b"]),
        ])
    func exceptions(name: String, message: String, shown: [String]) {
        let lines = LoggedText.lines(.init(timestamp: 0, name: name, message: message), columns: nil)
        #expect(lines.map { $0.text(colors: false) } == shown)
    }
}

@Suite("The service column")
struct ServiceColumnTests {
    @Test("a tail of one service has no service column")
    func single() {
        #expect(ServiceColumn(services: [.apiProxy]).text(.apiProxy, columns: nil) == nil)
    }

    @Test(
        "service names are padded to the longest one, and shortened if there is little room",
        arguments: [
            (nil, "api-proxy        "), (110, "api-proxy        "), (109, "proxy "),
        ] as [(Int?, String)])
    func names(columns: Int?, shown: String) {
        let column = ServiceColumn(services: ServiceInstance.standard)
        #expect(column.text(.apiProxy, columns: columns)?.text(colors: false) == shown)
    }

    @Test("each additional worker is shown with its own name")
    func workers() throws {
        let other = ServiceInstance.worker(try #require(WorkerName("b")))
        let column = ServiceColumn(services: [.enrichmentWorker, other])
        #expect(column.text(.enrichmentWorker, columns: 80)?.text(colors: false) == "worker  ")
        #expect(column.text(other, columns: 80)?.text(colors: false) == "worker-b")
        #expect(column.text(other, columns: nil)?.text(colors: false) == "enrichment-worker-b")
    }
}
