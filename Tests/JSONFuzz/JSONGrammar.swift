import TestSupport

/// Generates random JSON texts from the grammar, with a preference for corner cases.
struct JSONGrammar {
    private static let names = [
        "jsonrpc", "id", "method", "params", "result", "error", "deadlineMs", "traceparent", "requestId", "ID",
        "methods", "",
        "\\u0069d", "meth\\u006fd", "p\\u0061rams", "code", "data", "message", "é",
    ]
    private static let numbers = [
        "0", "-0", "1", "12", "-7", "0.5", "1e5", "1E+2", "2e-3", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "123456789012345678901234567890", "1e400", "0.1e1", "1.7976931348623157e308",
    ]
    private static let strings = [
        "", "2.0", "jobs.create", "Žluťoučký kůň", "漢字", "🦊", "\\\"", "\\\\", "\\/\\b\\f\\n\\r\\t", "\\u0000",
        "\\ud83e\\udd8a",
        "a\u{7F}b", "The Left Hand of Darkness", "\\u00e9",
    ]
    private static let brokenStrings = [
        "\\uD800", "\\udc00", "\\ud800\\u0041", "\\ud800\\ud800", "\\x", "\\u12", "\u{01}", "\\",
    ]
    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"id\"", "true", "false", "null", "tru", "nul", "0", "-", "1.",
        ".5", "01",
        "1e", "+1", " ", "\n", "\t", "\r", "\\", "\\u", "NaN", "Infinity", "//", "'a'", "\u{FEFF}", "\u{0B}",
    ]

    func value(_ random: inout SeededGenerator, depth: Int) -> [UInt8] {
        Array(text(&random, depth: depth).utf8)
    }

    /// An object that usually resembles an envelope.
    func frame(_ random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0...6, using: &random)
        let members = (0..<count).map { _ in member(Self.names.randomElement(using: &random) ?? "", &random, depth: 1) }
        let version = Bool.random(using: &random) ? ["\"jsonrpc\":\"2.0\""] : []
        let space = whitespace(&random)
        return Array((space + "{" + (version + members).joined(separator: ",") + "}" + space).utf8)
    }

    func tokens(_ random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0...14, using: &random)
        return Array((0..<count).map { _ in Self.tokens.randomElement(using: &random) ?? "" }.joined().utf8)
    }

    /// Brackets nested up to 20 levels deep, and occasionally around or far beyond the depth limit.
    func nesting(_ random: inout SeededGenerator) -> [UInt8] {
        let isRare = Int.random(in: 0..<50, using: &random) == 0
        let depth =
            isRare
            ? [511, 512, 513, 20_000].randomElement(using: &random) ?? 0 : Int.random(in: 0...20, using: &random)
        let open = Bool.random(using: &random) ? "[" : "{\"id\":"
        let close = open == "[" ? "]" : "}"
        let missing = Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0
        let text =
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: max(0, depth - missing))
        return Array(text.utf8)
    }

    /// A byte that is likely to break a parser.
    func hostileByte(_ random: inout SeededGenerator) -> UInt8 {
        let bytes: [UInt8] = [
            0x00, 0x1F, 0x20, 0x22, 0x2C, 0x2E, 0x30, 0x3A, 0x5B, 0x5C, 0x5D, 0x65, 0x75, 0x7B, 0x7D, 0x7F, 0x80, 0xBF,
            0xC0,
            0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
        ]
        return bytes.randomElement(using: &random) ?? 0
    }

    private func text(_ random: inout SeededGenerator, depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 4 ? 5 : 8), using: &random) {
        case 0, 1: return Self.numbers.randomElement(using: &random) ?? "0"
        case 2, 3: return string(&random)
        case 4: return ["true", "false", "null"].randomElement(using: &random) ?? "null"
        case 5, 6:
            let count = Int.random(in: 0...4, using: &random)
            let members = (0..<count).map { _ in
                member(Self.names.randomElement(using: &random) ?? "", &random, depth: depth + 1)
            }
            return "{" + members.joined(separator: whitespace(&random) + ",") + "}"
        default:
            let count = Int.random(in: 0...4, using: &random)
            let elements = (0..<count).map { _ in text(&random, depth: depth + 1) }
            return "[" + elements.joined(separator: "," + whitespace(&random)) + "]"
        }
    }

    private func member(_ name: String, _ random: inout SeededGenerator, depth: Int) -> String {
        "\"\(name)\"" + whitespace(&random) + ":" + whitespace(&random) + text(&random, depth: depth)
    }

    private func string(_ random: inout SeededGenerator) -> String {
        let parts = (0...Int.random(in: 0...2, using: &random)).map { _ in
            let isBroken = Int.random(in: 0..<60, using: &random) == 0
            return (isBroken ? Self.brokenStrings : Self.strings).randomElement(using: &random) ?? ""
        }
        return "\"" + parts.joined() + "\""
    }

    private func whitespace(_ random: inout SeededGenerator) -> String {
        Int.random(in: 0..<6, using: &random) == 0 ? [" ", "\t", "\r", "  "].randomElement(using: &random) ?? "" : ""
    }
}
