import Foundation
import Logging
import Observability
import SuiteMethods
import Testing
import TestSupport
@testable import BookstrackCLI

@Suite("The output of a tail")
struct EventTextTests {
    private func text(_ format: TailFormat, colors: Bool = false) throws -> EventText {
        EventText(
            format: format, services: ServiceInstance.standard, colors: colors,
            time: LocalTime(zone: try #require(TimeZone(secondsFromGMT: 3_600))), today: TailSamples.time)
    }

    @Test("JSON contains the service's event on one line, with the service's name and the number of lost events")
    func json() throws {
        let event = try TailSamples.request(logs: [TailSamples.line(.info, "a\nb")])
        var text = try text(.json)
        let written = text.text(
            [.init(service: .apiProxy, event: event, dropped: 3), .init(service: .progressHost, event: event)],
            columns: 20)
        let lines = written.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(written.hasSuffix("\n"))
        let first = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(first["service"] as? String == "api-proxy")
        #expect(first["dropped"] as? Int == 3)
        #expect(lines[0].hasPrefix(#"{"service":"api-proxy","kind":"request","outcome":"ok","eventTimestamp":"#))
        #expect(!lines[1].contains("dropped"))
        for line in lines { #expect(try JSONDecoder().decode(TailEvent.self, from: Data(line.utf8)) == event) }
    }

    @Test("JSON contains no control characters and keeps its meaning")
    func safeJSON() throws {
        let event = try TailSamples.request("/\u{1B}[2J\u{9B}2J\u{7F}\u{85}é")
        var text = try text(.json)
        let line = text.text([.init(service: .apiProxy, event: event)], columns: nil)
        #expect(line.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        #expect(try JSONDecoder().decode(TailEvent.self, from: Data(line.utf8)) == event)
    }

    @Test("a change of day is shown once")
    func days() throws {
        let day: Int64 = 86_400_000
        let events = try [-day, -day, 0].map {
            ServiceEvent(service: .apiProxy, event: try TailSamples.logged(at: $0, .info, "x"))
        }
        var text = try text(.pretty)
        let lines = text.text(events, columns: nil).split(separator: "\n").map { $0.prefix(12) }
        #expect(lines == ["2026-11-20", "15:03:59.042", "15:03:59.042", "2026-11-21", "15:03:59.042"])
    }

    @Test("colors are used only if enabled")
    func colors() throws {
        let events = [ServiceEvent(service: .apiProxy, event: try TailSamples.request())]
        var (plain, colored) = (try text(.pretty), try text(.pretty, colors: true))
        #expect(!plain.text(events, columns: 80).contains("\u{1B}"))
        #expect(colored.text(events, columns: 80).contains("\u{1B}[32m200\u{1B}[0m"))
    }
}

@Suite("Pretty events")
struct PrettyEventTests {
    private func lines(
        _ event: TailEvent, of service: ServiceInstance = .apiProxy, among services: [ServiceInstance] = [.apiProxy],
        columns: Int? = nil, dropped: Int = 0, colors: Bool = false
    ) throws -> [String] {
        PrettyEvent(
            shown: ServiceEvent(service: service, event: event, dropped: dropped),
            services: ServiceColumn(services: services),
            time: LocalTime(zone: try #require(TimeZone(secondsFromGMT: 0))), columns: columns
        ).lines.map { $0.text(colors: colors) }
    }

    @Test("a request is one line with time, status, duration, method, path and identifiers")
    func request() throws {
        #expect(
            try lines(TailSamples.request(job: TailSamples.job)) == [
                "14:03:59.042  200         12 ms  GET /v1/search/isbn?isbn=9780441172719"
                    + "  from 127.0.0.1  req 0e0e4736  job \(TailSamples.job)"
            ])
    }

    @Test("with several services, a column shows the service")
    func services() throws {
        #expect(
            try lines(TailSamples.call(code: "NOT_FOUND"), of: .progressHost, among: ServiceInstance.standard) == [
                "14:03:59.042  progress-host      ok        0.25 ms  rpc jobs.claim NOT_FOUND  req 0e0e4736"
            ])
        #expect(
            try lines(TailSamples.step(), of: .enrichmentWorker, among: ServiceInstance.standard, columns: 80) == [
                "14:03:59.042  worker  ok                 job recorded #12 found  job 8b1c22d0"
            ])
    }

    @Test("log lines and errors follow below the request, in time order, with their offsets")
    func notes() throws {
        var event = try TailSamples.request(
            status: 500, outcome: .error,
            logs: [
                TailSamples.line(
                    after: 811, .error, "no answer",
                    ["provider": "openlibrary", "after": "9 s", "requestId": "4bf92f3577b34da6a3ce929d0e0e4736"])
            ])
        event.exceptions = [
            .init(timestamp: TailSamples.time + 3, name: "TimedOut", message: "first\nsecond"),
            .init(timestamp: TailSamples.time + 2_500, name: "Empty", message: ""),
        ]
        event.droppedNotes = 4
        #expect(
            try lines(event).dropFirst() == [
                "       +3 ms  exception  TimedOut: first",
                "                         second",
                "     +811 ms  error      no answer  after=9 s provider=openlibrary",
                "     +2.50 s  exception  Empty",
                "              … and 4 more that were not stored",
            ])
    }

    @Test("a log line that is too long continues on the next line, with an indent")
    func lineAlone() throws {
        let event = try TailSamples.logged(
            .warning, "the provider's breaker is now open for a while", ["provider": "x"])
        #expect(
            try lines(event, columns: 60) == [
                "14:03:59.042  warning    the provider's breaker is now open",
                "                         for a while  provider=x",
            ])
    }

    @Test("the number of lost events is shown before the next event")
    func dropped() throws {
        #expect(
            try lines(TailSamples.call(), dropped: 120).first
                == "… 120 events of api-proxy dropped: this reader is too slow")
    }

    @Test("a request's outcome is colored", arguments: [(204, 32), (304, 36), (404, 33), (500, 31)])
    func colors(status: Int, color: Int) throws {
        let line = try lines(TailSamples.request(status: status), colors: true)[0]
        #expect(line.contains("\u{1B}[\(color)m\(status)\u{1B}[0m"))
    }

    @Test(
        "a failed request with a status below 500 is marked as an error, and one whose client left as canceled"
    )
    func outcomes() throws {
        #expect(try lines(TailSamples.request(outcome: .error))[0].contains("  200 error   12 ms"))
        #expect(try lines(TailSamples.request(status: 499, outcome: .canceled))[0].contains("  canceled    12 ms"))
    }

    @Test("no line is wider than the terminal, whatever the event contains", arguments: [40, 71, 80, 132])
    func width(columns: Int) throws {
        let wide = String(repeating: "日本語の本棚 ", count: 12) + String(repeating: "長", count: 90)
        var event = try TailSamples.request(
            "/v1/search/title?q=" + wide, status: 500, job: TailSamples.job,
            logs: [
                TailSamples.line(.error, wide, ["title": wide, "a": "b"]), TailSamples.line(.info, ""),
                TailSamples.line(.debug, String(repeating: "👩‍👩‍👧", count: 100)),
            ])
        event.exceptions = [.init(timestamp: TailSamples.time, name: "Name", message: wide)]
        event.droppedNotes = 3
        for event in [event, try TailSamples.logged(.critical, wide, ["title": wide]), try TailSamples.step()] {
            for services in [[ServiceInstance.apiProxy], ServiceInstance.standard] {
                let lines = try lines(event, among: services, columns: columns, dropped: 7)
                #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
                #expect(lines[1].hasPrefix("14:03:59.042") || columns == 40)
            }
        }
    }

    @Test("on a narrow terminal, requests and log lines follow the time on the next line")
    func narrow() throws {
        #expect(
            try lines(TailSamples.request(), among: ServiceInstance.standard, columns: 40) == [
                "14:03:59.042  proxy   200         12 ms", "  GET /v1/search/isbn?isb…  req 0e0e4736",
            ])
        let event = try TailSamples.logged(.warning, "the provider's breaker is now open for a while", [:])
        #expect(
            try lines(event, columns: 40) == [
                "14:03:59.042  warning  ", "  the provider's breaker is now open for", "  a while",
            ])
    }

    @Test("a job's identifier is complete if there is room, and abbreviated otherwise")
    func identifiers() throws {
        let event = try TailSamples.request("/v1/jobs", job: TailSamples.job)
        #expect(try lines(event, columns: 132)[0].hasSuffix("  from 127.0.0.1  req 0e0e4736  job \(TailSamples.job)"))
        #expect(try lines(event, columns: 101)[0].hasSuffix("  req 0e0e4736  job \(TailSamples.job)"))
        #expect(try lines(event, columns: 73)[0].hasSuffix("  req 0e0e4736  job 8b1c22d0"))
        #expect(try lines(event, columns: 59)[0].hasSuffix("  job 8b1c22d0"))
        #expect(try lines(event, columns: 48)[0].hasSuffix("/v1/jobs"))
    }

    @Test("a short request identifier from a client is not abbreviated")
    func ownIdentifier() throws {
        var event = try TailSamples.call()
        event.requestId = "import-2026/11"
        #expect(try lines(event)[0].hasSuffix("  req import-2026/11"))
    }

    @Test("events cannot write control characters to the terminal", arguments: 1...4)
    func untrusted(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let evil: [Character] = [
            "\u{1B}", "[", "2", "J", "]", "\u{7}", "\u{9B}", "\r", "\u{8}", "\u{202E}", "\u{7F}", "\t", "\u{2028}", "é",
            "\n",
        ]
        let text = { (random: inout SeededGenerator) in
            String((0..<30).map { _ in evil.randomElement(using: &random) ?? "x" })
        }
        var event = try TailSamples.request(
            text(&random), job: text(&random),
            logs: [TailSamples.line(.info, text(&random), [text(&random): text(&random)])])
        event.requestId = text(&random)
        event.event?.request?.method = text(&random)
        event.event?.request?.address = text(&random)
        event.exceptions = [.init(timestamp: 0, name: text(&random), message: text(&random))]
        let call = try TailSamples.call(text(&random), code: text(&random))
        var step = try TailSamples.step()
        step.event?.job?.result = text(&random)
        step.event?.job?.code = text(&random)
        for event in [event, call, step, try TailSamples.logged(.info, text(&random))] {
            for columns in [nil, 60, 120] {
                let scalars = try lines(event, columns: columns).joined().unicodeScalars
                #expect(scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
                #expect(!scalars.contains("\u{202E}"))
                #expect(!scalars.contains("\u{2028}"))
            }
        }
    }

    @Test(
        "times outside the calendar's range do not cause a crash", arguments: [Int64.min, -1, .max], [-3_600, 3_600])
    func strangeTimes(time: Int64, offset: Int) throws {
        var event = try TailSamples.request(logs: [TailSamples.line(after: 0, .info, "a line", [:])])
        event.eventTimestamp = time
        event.exceptions = [.init(timestamp: time == .max ? .min : .max, name: "Fault", message: "")]
        let lines = PrettyEvent(
            shown: ServiceEvent(service: .apiProxy, event: event), services: ServiceColumn(services: [.apiProxy]),
            time: LocalTime(zone: try #require(TimeZone(secondsFromGMT: offset))), columns: nil
        ).lines
        #expect(lines.count == 3)
    }
}
