import Foundation
import Testing

@testable import BookstrackCLI

@Suite("Reports of checks")
struct FindingReportTests {
    private static let findings: [Finding] = [
        .ok("jobs.sqlite", "no damage found"),
        .warning("settings", "there is no contact", advice: "set BOOKSTRACK_CONTACT"),
        .problem("/run/bookstrack", "is not there"),
    ]

    @Test("a line per finding, what to do below it, and the sum")
    func text() {
        #expect(
            FindingReport(findings: Self.findings).text(width: 80) == """
                ok       jobs.sqlite      no damage found
                warning  settings         there is no contact
                                          → set BOOKSTRACK_CONTACT
                problem  /run/bookstrack  is not there
                1 ok, 1 warning, 1 problem

                """)
    }

    @Test("long sentences are broken to the width")
    func narrow() {
        let report = FindingReport(findings: [.ok("x", String(repeating: "word ", count: 30))])
        #expect(report.text(width: 40).split(separator: "\n").allSatisfy { $0.count <= 40 })
    }

    @Test("JSON says the worst verdict first of all, and the status follows it")
    func json() throws {
        let report = FindingReport(findings: Self.findings)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(report.json().utf8)) as? [String: Any])
        #expect(object["verdict"] as? String == "problem")
        #expect((object["findings"] as? [[String: Any]])?.count == 3)
        #expect(report.status == .incomplete)
        #expect(FindingReport(findings: Array(Self.findings.prefix(2))).status == .success)
    }
}
