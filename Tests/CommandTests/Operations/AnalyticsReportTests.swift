import BookstrackContract
import Foundation
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("The analytics report")
struct AnalyticsReportTests {
    private static func day(_ day: String, books: Int, covers: Int) -> AnalyticsDay {
        var counts = QualityCounts()
        (counts.books, counts.found, counts.isbns, counts.isbnsFound) = (books, books - 1, books, books - 1)
        (counts.covers, counts.authors, counts.knownAuthors, counts.quality) = (covers, 10, 8, 70 * (books - 1))
        var provider = ProviderCounts(.openLibrary)
        (provider.asked, provider.answered) = (books, books)
        provider[.cover] = covers
        return AnalyticsDay(day: day, pipeline: .batchEnrichment, counts: counts, providers: [provider])
    }

    private static let report = AnalyticsReport(
        days: [day("2026-11-25", books: 101, covers: 90), day("2026-11-24", books: 11, covers: 0)])

    @Test("the totals are compared with the targets, and followed by a line for each provider and each day")
    func table() {
        let lines = Self.report.lines(OutputStyle(width: 120, colors: false))
        #expect(
            lines.joined(separator: "\n") == """
                Measure                         Value  Target          Of
                -----------------------------  ------  ------  ----------
                ISBNs with a book              98.2 %  > 95 %   112 ISBNs
                Books with a cover             81.8 %  > 80 %   110 books
                Authors with known background  80.0 %  > 70 %  20 authors
                Mean quality                     70.0    > 60   110 books

                Provider     Asked  Answered  Title  Authors  Cover  Description  Subjects  Publisher  Date  Pages  Language
                -----------  -----  --------  -----  -------  -----  -----------  --------  ---------  ----  -----  --------
                openlibrary    112       112      0        0     90            0         0          0     0      0         0

                Day         Pipeline          Books  Found   Match   Cover  Author  Quality
                ----------  ----------------  -----  -----  ------  ------  ------  -------
                2026-11-25  batch_enrichment    101    100  99.0 %  90.0 %  80.0 %     70.0
                2026-11-24  batch_enrichment     11     10  90.9 %   0.0 %  80.0 %     70.0
                """)
    }

    @Test("on a terminal of 80 columns, no line is wider than the terminal")
    func narrow() {
        for line in Self.report.lines(OutputStyle(width: 80, colors: false)) { #expect(line.count <= 80) }
    }

    @Test("a period with no results is reported in one sentence, and its JSON has no ratios")
    func empty() throws {
        let report = AnalyticsReport(days: [])
        #expect(report.lines(.init(width: 80, colors: false)) == ["No results in this period."])
        let json = try OutputOptions.jsonLine(report.document)
        #expect(json.contains(#""ratios":{}"#))
        #expect(json.contains(#""days":[]"#))
    }

    @Test("JSON contains the totals, the ratios and the days")
    func json() throws {
        let document = try JSONSerialization.jsonObject(
            with: Data(OutputOptions.jsonLine(Self.report.document).utf8))
        let members = try #require(document as? [String: Any])
        #expect((members["ratios"] as? [String: Double])?["meanQuality"] == 70)
        #expect((members["counts"] as? [String: Int])?["books"] == 112)
        #expect((members["days"] as? [[String: Any]])?.count == 2)
        #expect((members["providers"] as? [[String: Any]])?[0]["provider"] as? String == "openlibrary")
    }

    @Test("CSV has a row for each day's results, and one for each provider")
    func csv() {
        let lines = Self.report.csv.csv.split(separator: "\r\n")
        #expect(lines.count == 5)
        #expect(lines[1].hasPrefix("2026-11-25,batch_enrichment,101,100,101,100,90,10,8,7000,,"))
        #expect(lines[2] == "2026-11-25,batch_enrichment,,,,,,,,,openlibrary,101,101,0,0,90,0,0,0,0,0,0")
        for line in lines { #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == 22) }
    }
}

@Suite("The list of failing and reported ISBNs")
struct FailingReportTests {
    private static let now: Int64 = 1_764_000_000_000

    private static let report = {
        var failing = FailingISBN(isbn: "9780000000002", attempts: 4, reports: 0, fields: [])
        failing.code = .notFound
        failing.firstFailedAt = 1_763_900_000
        failing.lastFailedAt = 1_763_996_400
        var reported = FailingISBN(isbn: "9780441172719", attempts: 0, reports: 2, fields: [.cover, .description])
        reported.note = "=HYPERLINK(1)"
        reported.reportedAt = 1_763_913_600
        return FailingReport(answer: .init(isbns: [failing, reported], total: 5), now: now)
    }()

    @Test(
        "each ISBN is listed with its failures, the last reason and the fields reported as missing; older ISBNs are only counted"
    )
    func table() {
        #expect(
            Self.report.lines(OutputStyle(width: 100, colors: false)).joined(separator: "\n") == """
                ISBN           Failed  Last reason  Last     Reports  Missing             Note
                -------------  ------  -----------  -------  -------  ------------------  -------------
                9780000000002       4  NOT_FOUND    1 h ago        0
                9780441172719       0               1 d ago        2  cover, description  =HYPERLINK(1)

                3 older ones are not shown.
                """)
    }

    @Test("an empty list is reported in one sentence")
    func none() {
        let report = FailingReport(answer: .init(isbns: [], total: 0), now: Self.now)
        #expect(report.lines(OutputStyle(width: 80, colors: false)) == ["No ISBNs failed, and none were reported."])
    }

    @Test("CSV contains times in UTC, and no cell that a spreadsheet would treat as a formula")
    func csv() {
        let lines = Self.report.csv.csv.split(separator: "\r\n")
        #expect(lines[1] == "9780000000002,4,NOT_FOUND,2025-11-23T12:13:20.000Z,2025-11-24T15:00:00.000Z,0,,,")
        #expect(lines[2] == "9780441172719,0,,,,2,cover description,'=HYPERLINK(1),2025-11-23T16:00:00.000Z")
    }
}
