import Foundation
import ServiceKit

/// Findings as the user reads them.
struct FindingReport {
    private static let verdictColumns = "warning".count

    let findings: [Finding]

    /// 1 when there is a problem.
    var status: ExitStatus { count(.problem) == 0 ? .success : .incomplete }

    /// A line per finding, advice below it, and the sum of all.
    func text(width: Int) -> String {
        let subjects = findings.map { DisplayWidth.of($0.subject) }.max() ?? 0
        let indent = Self.verdictColumns + 2 + subjects + 2
        let lines = findings.flatMap { finding in
            let head = [
                DisplayWidth.pad(finding.verdict.rawValue, Self.verdictColumns),
                DisplayWidth.pad(TerminalText.line(finding.subject), subjects),
            ].joined(separator: "  ")
            let body =
                TextWrap.lines(finding.statement, columns: max(20, width - indent))
                + (finding.advice.map { TextWrap.lines("→ " + $0, columns: max(20, width - indent)) } ?? [])
            return zip([head] + body.dropFirst().map { _ in String(repeating: " ", count: indent - 2) }, body)
                .map { $0 + "  " + $1 }
        }
        return (lines + [sum]).joined(separator: "\n") + "\n"
    }

    /// An object with the worst verdict and all findings.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Document(verdict: worst, findings: findings)), as: UTF8.self) + "\n"
    }

    private var worst: Finding.Verdict {
        count(.problem) > 0 ? .problem : count(.warning) > 0 ? .warning : .ok
    }

    private var sum: String {
        "\(count(.ok)) ok, \(count(.warning)) \(count(.warning) == 1 ? "warning" : "warnings"), "
            + "\(count(.problem)) \(count(.problem) == 1 ? "problem" : "problems")"
    }

    private func count(_ verdict: Finding.Verdict) -> Int { findings.count { $0.verdict == verdict } }

    private struct Document: Encodable {
        var verdict: Finding.Verdict
        var findings: [Finding]
    }
}
