import Testing

@testable import BookstrackCLI

@Suite("Styled text")
struct StyledTextTests {
    private func text(_ pieces: (String, ANSIStyle)...) -> StyledText {
        var text = StyledText()
        for (piece, style) in pieces { text.append(piece, style) }
        return text
    }

    @Test(
        "each style has its control sequence, and plain text has none",
        arguments: [
            (ANSIStyle.plain, "x"), (.bold, "\u{1B}[1mx\u{1B}[0m"), (.dim, "\u{1B}[2mx\u{1B}[0m"),
            (.red, "\u{1B}[31mx\u{1B}[0m"),
            (.green, "\u{1B}[32mx\u{1B}[0m"), (.yellow, "\u{1B}[33mx\u{1B}[0m"), (.cyan, "\u{1B}[36mx\u{1B}[0m"),
        ])
    func styles(style: ANSIStyle, painted: String) {
        #expect(style.paint("x") == painted)
        #expect(style.paint("") == "")
    }

    @Test("control sequences take no columns, and wide characters take two")
    func columns() {
        #expect(text(("GET ", .bold), ("/三体", .red)).columns == 9)
        #expect(StyledText().columns == 0)
    }

    @Test("colors are written only on request")
    func colors() {
        let styled = text(("a", .red), ("b", .plain))
        #expect(styled.text(colors: false) == "ab")
        #expect(styled.text(colors: true) == "\u{1B}[31ma\u{1B}[0mb")
    }

    @Test("padding adds spaces up to a width and never cuts", arguments: [(5, "abc  "), (3, "abc"), (1, "abc")])
    func padding(columns: Int, padded: String) {
        var styled = text(("abc", .red))
        styled.pad(to: columns)
        #expect(styled.text(colors: false) == padded)
    }

    @Test(
        "a cut text ends with an ellipsis, whichever piece is cut",
        arguments: [
            (9, "abcdef"), (6, "abcdef"), (5, "abcd…"), (4, "abc…"), (3, "ab…"), (2, "a…"), (1, "…"), (0, ""),
        ])
    func cutting(columns: Int, cut: String) {
        #expect(text(("abc", .red), ("def", .bold)).cut(to: columns).text(colors: false) == cut)
    }

    @Test("a cut text keeps the styles of the remaining pieces")
    func cutStyles() {
        #expect(text(("abc", .red), ("def", .bold)).cut(to: 5).pieces.map(\.style) == [.red, .bold])
    }

    @Test(
        "each meaning has its own style",
        arguments: [
            (OutputMeaning.plain, "x"), (.ok, "\u{1B}[32mx\u{1B}[0m"), (.warning, "\u{1B}[33mx\u{1B}[0m"),
            (.problem, "\u{1B}[31mx\u{1B}[0m"), (.faint, "\u{1B}[2mx\u{1B}[0m"), (.heading, "\u{1B}[1mx\u{1B}[0m"),
        ])
    func meanings(meaning: OutputMeaning, painted: String) {
        #expect(OutputStyle(width: 80, colors: true).paint("x", meaning) == painted)
        #expect(OutputStyle(width: 80, colors: false).paint("x", meaning) == "x")
        #expect(OutputStyle(width: 80, colors: true).pad("x", 3, meaning) == painted + "  ")
    }

    @Test(
        "with NO_COLOR, or on a terminal without control sequences, no colors are used",
        arguments: [
            ([:], true, true), (["TERM": "xterm"], true, true), (["TERM": "dumb"], false, false),
            (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
            (["TERM": "dumb", "NO_COLOR": "1"], false, false),
        ])
    func environments(variables: [String: String], takesSequences: Bool, allowsColors: Bool) {
        let terminal = TerminalEnvironment(variables)
        #expect(terminal.takesSequences == takesSequences)
        #expect(terminal.allowsColors == allowsColors)
    }
}

@Suite("Untrusted text")
struct UntrustedTextTests {
    @Test(
        "characters that could move the cursor or reverse the text are shown as escapes",
        arguments: [
            ("a\u{1B}[2Jb", #"a\u{1B}[2Jb"#), ("a\u{202E}b", #"a\u{202E}b"#), ("a\tb\nc", #"a\tb\nc"#),
            ("a\u{9B}b", #"a\u{009B}b"#),
            ("a\u{2028}b", #"a\u{2028}b"#), ("é三👩‍👧 می‌خواهم", "é三👩‍👧 می‌خواهم"),
        ])
    func lines(text: String, shown: String) {
        #expect(UntrustedText.line(text) == shown)
    }

    @Test(
        "a very long string is truncated and marked with an ellipsis",
        arguments: [(4_000, 4_000), (4_001, 4_001), (9_000, 4_001)])
    func longTexts(length: Int, shown: Int) {
        let line = UntrustedText.line(String(repeating: "x", count: length))
        #expect(line.count == shown)
        #expect(line.hasSuffix("…") == (length > 4_000))
        #expect(UntrustedText.line(String(repeating: "本", count: length)).count == shown)
    }

    @Test("lines stay separate, whatever their line endings, and empty lines are left out")
    func severalLines() {
        #expect(UntrustedText.lines("a\nb\r\nc\n\nd\u{1B}") == ["a", "b", "c", #"d\u{1B}"#])
    }

    @Test(
        "JSON is shown unchanged, except that its unescaped control characters are escaped",
        arguments: [
            (#"{"a":"é"}"#, #"{"a":"é"}"#), ("{\"a\":\"\u{7F}\u{9B}\"}", #"{"a":"\u007f\u009b"}"#),
        ])
    func json(text: String, shown: String) {
        #expect(UntrustedText.json(text) == shown)
    }
}
