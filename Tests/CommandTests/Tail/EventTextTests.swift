import Foundation
import Logging
import Observability
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("What a tail writes")
struct EventTextTests {
    private func text(_ format: TailFormat, colours: Bool = false) throws -> EventText {
        EventText(
            format: format, services: ServiceInstance.standard, colours: colours,
            time: LocalTime(zone: try #require(TimeZone(secondsFromGMT: 3_600))), today: TailSamples.time)
    }

    @Test("JSON is the service's event on one line, with the service's name and what was lost before")
    func json() throws {
        let event = try TailSamples.request(logs: [TailSamples.line(.info, "a\nb")])
        var text = try text(.json)
        let written = text.text(
            [.init(service: .apiProxy, event: event, dropped: 3), .init(service: .progressHost, event: event)],
            columns: 20)
        let lines = written.split(separator: "\n")
        #expect(lines.count == 2 && written.hasSuffix("\n"))
        let first = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(first["service"] as? String == "api-proxy" && first["dropped"] as? Int == 3)
        #expect(lines[0].hasPrefix(#"{"service":"api-proxy","kind":"request","outcome":"ok","eventTimestamp":"#))
        #expect(!lines[1].contains("dropped"))
        for line in lines { #expect(try JSONDecoder().decode(TailEvent.self, from: Data(line.utf8)) == event) }
    }

    @Test("JSON has no character that a terminal obeys, and says the same")
    func safeJSON() throws {
        let event = try TailSamples.request("/\u{1B}[2J\u{9B}2J\u{7F}\u{85}é")
        var text = try text(.json)
        let line = text.text([.init(service: .apiProxy, event: event)], columns: nil)
        #expect(line.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        #expect(try JSONDecoder().decode(TailEvent.self, from: Data(line.utf8)) == event)
    }

    @Test("another day than the one before is named once")
    func days() throws {
        let day: Int64 = 86_400_000
        let events = try [-day, -day, 0].map {
            ServiceEvent(service: .apiProxy, event: try TailSamples.logged(at: $0, .info, "x"))
        }
        var text = try text(.pretty)
        let lines = text.text(events, columns: nil).split(separator: "\n").map { $0.prefix(12) }
        #expect(lines == ["2026-11-20", "15:03:59.042", "15:03:59.042", "2026-11-21", "15:03:59.042"])
    }

    @Test("colours are only where they were allowed")
    func colours() throws {
        let events = [ServiceEvent(service: .apiProxy, event: try TailSamples.request())]
        var (plain, coloured) = (try text(.pretty), try text(.pretty, colours: true))
        #expect(!plain.text(events, columns: 80).contains("\u{1B}"))
        #expect(coloured.text(events, columns: 80).contains("\u{1B}[32m200\u{1B}[0m"))
    }

    @Test(
        "NO_COLOR and a terminal without sequences switch colours off",
        arguments: [
            ([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
            (["TERM": "xterm"], true),
        ])
    func environment(variables: [String: String], allows: Bool) {
        #expect(TerminalEnvironment(variables).allowsColours == allows)
    }

    @Test(
        "a duration has two or three digits",
        arguments: [
            (0.0, "0.00 ms"), (0.04, "0.04 ms"), (9.94, "9.9 ms"), (12.3, "12 ms"), (999.4, "999 ms"),
            (999.6, "1.00 s"), (59_990, "59.99 s"), (60_000, "60 s"), (3_600_000, "1.0 h"),
        ])
    func durations(milliseconds: Double, text: String) {
        #expect(DurationText.of(milliseconds: milliseconds) == text)
    }
}
