import Foundation
import Testing

/// Checks that a failed expectation names the fact that does not hold.
@Suite("One fact per expectation")
struct ExpectationTests {
    @Test("no expectation joins facts with && outside a closure")
    func joinedFacts() throws {
        var expectations = 0
        for source in RepositoryFiles.sources() where RepositoryFiles.name(source).hasPrefix("/Tests/") {
            let text = try String(contentsOf: source, encoding: .utf8)
            for rest in text.components(separatedBy: "#expect(").dropFirst() {
                expectations += 1
                guard rest.contains("&&"), Self.joinsFacts(rest) else { continue }
                Issue.record("\(RepositoryFiles.name(source)): #expect(\(rest.prefix(80))")
            }
        }
        #expect(expectations > 5_000)
    }

    @Test(
        "&& counts as joining facts unless it is in a closure, a string, a comment or the code after the expectation",
        arguments: [
            ("a == 1 && b)", true), ("a || (b && c))", true), (#"text == "\"" && b)"#, true), ("f { $0 } && b)", true),
            ("\n    a // \"\n        && b)", true), ("f { $0.a && $0.b })", false), (#"text == "a && b")"#, false),
            (#"a, "\(b && c)")"#, false), ("a) // b && c", false), ("a(b))\nlet c = a && b", false),
        ])
    func joining(arguments: String, joins: Bool) {
        #expect(Self.joinsFacts(arguments) == joins)
    }

    /// Whether the arguments with which `text` begins contain `&&` outside braces. They end at the first unmatched parenthesis.
    private static func joinsFacts(_ text: String) -> Bool {
        var rest = text.replacing(/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*/, with: "")[...]
        var parentheses = 1
        var braces = 0
        while parentheses > 0, let character = rest.popFirst() {
            switch character {
            case "(": parentheses += 1
            case ")": parentheses -= 1
            case "{": braces += 1
            case "}": braces -= 1
            case "&" where braces == 0 && rest.first == "&": return true
            default: break
            }
        }
        return false
    }
}
