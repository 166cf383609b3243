import BookstrackContract
import Foundation
import Testing

@testable import BookstrackCLI

/// How strings are prepared for a terminal: widths, cuts, times, and characters that must not reach it.
@Suite("Strings for terminals")
struct DisplayTextTests {
    @Test(
        "a character's width is the number of columns that it takes in a terminal",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("я", 1), ("א", 1), ("三", 2), ("あ", 2), ("한", 2), ("Ａ", 2),
            ("🦊", 2), ("👨‍👩‍👧‍👦", 2), ("❤️", 2), ("—", 1), ("…", 1), ("\u{200B}", 0), ("\t", 0), ("\u{7}", 0), ("", 0),
        ])
    func widths(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test(
        "a string that is too wide ends with an ellipsis within the given columns",
        arguments: [
            ("Dune", 4, "Dune"), ("Dune", 3, "Du…"), ("Dune", 1, "…"), ("Dune", 0, ""), ("三体問題", 8, "三体問題"),
            ("三体問題", 7, "三体問…"), ("三体問題", 6, "三体…"), ("三体", 2, "…"), ("", 5, ""),
        ])
    func fits(text: String, columns: Int, fitted: String) {
        #expect(DisplayWidth.fit(text, columns) == fitted)
    }

    @Test(
        "a padded text is exactly as wide as requested", arguments: ["", "Dune", "三体", "a very long title", "e\u{301}"])
    func padded(text: String) {
        for columns in 0...12 { #expect(DisplayWidth.of(DisplayWidth.pad(text, columns)) == columns) }
    }

    @Test(
        "a duration is shown in a unit that suits its length",
        arguments: [
            (0, "0.00 ms"), (0.456, "0.46 ms"), (1, "1.0 ms"), (9.94, "9.9 ms"), (10, "10 ms"), (725.4, "725 ms"),
            (999.4, "999 ms"), (999.6, "1.00 s"), (1_234, "1.23 s"), (59_990, "59.99 s"), (60_000, "60 s"),
            (3_599_000, "3599 s"), (3_600_000, "1.0 h"), (90_000_000, "25.0 h"),
        ])
    func durations(milliseconds: Double, text: String) {
        #expect(DurationText.of(milliseconds: milliseconds) == text)
    }

    @Test(
        "a rough duration is given in its largest unit",
        arguments: [
            (0, "0 s"), (59_999, "59 s"), (60_000, "1 min"), (3_599_999, "59 min"), (86_399_999, "23 h"),
            (172_800_000, "2 d"),
        ])
    func roughly(milliseconds: Int64, text: String) {
        #expect(TimeSpanText.roughly(milliseconds: milliseconds) == text)
    }

    @Test("times are shown in the given time zone, even with a half-hour offset and before 1970")
    func zones() throws {
        let utc = LocalTime(zone: .gmt)
        #expect(utc.clock(1_763_236_800_042) == "20:00:00.042")
        #expect(utc.day(1_763_236_800_042) == "2025-11-15")
        let india = LocalTime(zone: try #require(TimeZone(secondsFromGMT: 19_800)))
        #expect(india.clock(1_763_236_800_042) == "01:30:00.042")
        #expect(india.day(1_763_236_800_042) == "2025-11-16")
        #expect(utc.clock(-1) == "23:59:59.999")
        #expect(utc.day(-1) == "1969-12-31")
    }

    @Test(
        "years before the common era are marked",
        arguments: [(1_965, "1965"), (0, "0"), (-1, "1 BCE"), (-750, "750 BCE")])
    func years(year: Int, text: String) {
        #expect(YearText.text(year) == text)
    }

    @Test("untrusted text is shown on one line, and long text is cut after 4 000 characters")
    func untrusted() {
        #expect(UntrustedText.line("Dune\u{1B}[2J\n") == #"Dune\u{1B}[2J\n"#)
        #expect(UntrustedText.line("a\u{202E}b") == #"a\u{202E}b"#)
        #expect(UntrustedText.line("👨‍👩‍👧‍👦 می‌خواهم") == "👨‍👩‍👧‍👦 می‌خواهم")
        let long = UntrustedText.line(String(repeating: "x", count: 5_000))
        #expect(long.count == 4_001)
        #expect(long.hasSuffix("…"))
        let wide = String(repeating: "本", count: 4_000)
        #expect(UntrustedText.line(wide) == wide)
        #expect(UntrustedText.lines("a\r\nb\nc") == ["a", "b", "c"])
    }

    @Test("JSON for a terminal contains no unescaped control characters, and keeps its meaning")
    func json() {
        #expect(UntrustedText.json("{\"a\":\"\u{9B}31m\u{7F}é\"}") == #"{"a":"\u009b31m\u007fé"}"#)
        #expect(UntrustedText.json("{}") == "{}")
    }

    @Test("a styled text is measured, cut and padded in columns")
    func styled() {
        var text = StyledText("Dune", .bold)
        text.append(" by ")
        text.append("Herbert", .cyan)
        #expect(text.columns == 15)
        #expect(text.text(colours: false) == "Dune by Herbert")
        #expect(text.text(colours: true) == "\u{1B}[1mDune\u{1B}[0m by \u{1B}[36mHerbert\u{1B}[0m")
        #expect(text.cut(to: 15) == text)
        #expect(text.cut(to: 10).text(colours: false) == "Dune by H…")
        #expect(text.cut(to: 4).text(colours: false) == "Dun…")
        #expect(text.cut(to: 0).text(colours: false).isEmpty)
        text.pad(to: 18)
        #expect(text.columns == 18)
        text.pad(to: 5)
        #expect(text.columns == 18)
    }

    @Test(
        "colors are used unless the terminal lacks them or NO_COLOR is set",
        arguments: [
            ([:], true, true), (["NO_COLOR": "1"], false, true), (["NO_COLOR": ""], true, true),
            (["TERM": "dumb"], false, false), (["TERM": "xterm-256color"], true, true),
            (["TERM": "dumb", "NO_COLOR": "1"], false, false),
        ] as [([String: String], Bool, Bool)])
    func environment(variables: [String: String], colours: Bool, sequences: Bool) {
        #expect(TerminalEnvironment(variables).allowsColours == colours)
        #expect(TerminalEnvironment(variables).takesSequences == sequences)
    }

    @Test(
        "a point in the past is given as a duration or a time",
        arguments: [
            ("90s", .ago(seconds: 90)), ("10m", .ago(seconds: 600)), ("2h", .ago(seconds: 7_200)),
            ("1d", .ago(seconds: 86_400)),
            ("366d", .ago(seconds: 31_622_400)), ("2025-11-15T20:00:00Z", .time(1_763_236_800_000)),
            ("2025-11-15T20:00:00.042Z", .time(1_763_236_800_042)),
            ("2025-11-15T21:00:00+01:00", .time(1_763_236_800_000)),
        ] as [(String, PointInPast)])
    func points(argument: String, point: PointInPast) {
        #expect(PointInPast(argument: argument) == point)
    }

    @Test(
        "only a valid duration or time is accepted as a point in the past",
        arguments: ["", "0s", "-5m", "367d", "5", "5w", "1.5h", "yesterday", "9999999999999999h"])
    func noPoints(argument: String) {
        #expect(PointInPast(argument: argument) == nil)
    }
}
