import Foundation
import ServiceKit
import Testing

@testable import BookstrackCLI

@Suite("Check reports")
struct FindingReportTests {
    private static let findings: [Finding] = [
        .ok("jobs.sqlite", "no damage found"),
        .warning("settings", "there is no contact", advice: "set BOOKSTRACK_CONTACT"),
        .problem("/run/bookstrack", "is not there"),
    ]

    @Test("each finding has a line with its advice below it; problems come first, and a summary comes last")
    func text() {
        #expect(
            FindingReport(findings: Self.findings).text(OutputStyle(width: 80, colors: false)) == """
                problem  /run/bookstrack  is not there
                warning  settings         there is no contact
                                          → set BOOKSTRACK_CONTACT
                ok       jobs.sqlite      no damage found
                1 ok, 1 warning, 1 problem

                """)
    }

    @Test("long sentences are wrapped to the terminal's width")
    func narrow() {
        let report = FindingReport(findings: [.ok("x", String(repeating: "word ", count: 30))])
        #expect(
            report.text(OutputStyle(width: 40, colors: false)).split(separator: "\n").allSatisfy { $0.count <= 40 })
    }

    @Test("JSON contains the worst verdict, which determines the exit status")
    func json() throws {
        let report = FindingReport(findings: Self.findings)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(OutputOptions.json(report.document).utf8)) as? [String: Any])
        #expect(object["verdict"] as? String == "problem")
        #expect((object["findings"] as? [[String: Any]])?.count == 3)
        #expect(report.status == .incomplete)
        #expect(FindingReport(findings: Array(Self.findings.prefix(2))).status == .success)
    }

    @Test("verdicts are colored if colors are enabled, and log lines follow the advice")
    func colors() {
        var failed = Finding.problem("progress-host", "is not running", advice: "fix it")
        failed.log = ["BOOKSTRACK_HTTP_PORT must be a whole number", "exiting"]
        let report = FindingReport(findings: [failed, .ok("clock", "right")])
        let text = report.text(OutputStyle(width: 80, colors: true))
        #expect(text.contains("\u{1B}[31mproblem"))
        #expect(text.contains("\u{1B}[32mok"))
        #expect(!report.text(OutputStyle(width: 80, colors: false)).contains("\u{1B}"))
        let lines = report.text(OutputStyle(width: 80, colors: false)).split(separator: "\n")
        #expect(
            lines.map { $0.drop { $0 == " " } }.dropFirst().prefix(3) == [
                "→ fix it", "| BOOKSTRACK_HTTP_PORT must be a whole number", "| exiting",
            ])
    }
}
