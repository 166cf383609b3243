import ArgumentParser
import BookstrackClient
import BookstrackContract
import Foundation
import JSON
import JSONRPC
import NIOCore
import ServiceKit

/// Carries out searches one after another and reports the results.
struct SearchRun {
    /// The form of the report.
    enum Form {
        /// The data of the API's responses, one document per line.
        case json
        /// The books of all responses under one header.
        case csv
        case table(OutputStyle, covers: Bool)
    }

    typealias Answer = APIAnswer<SearchResults>

    let calls: SearchCalls
    let form: Form
    /// Whether to show why each book was found.
    var explains = false

    /// Searches for books, at most `limit` per search. If there is only one search, its error is thrown. If there are several, failures are listed in
    /// the report, and only those with the status `unavailable` or `interrupted` end the run.
    func books(_ requests: [SearchRequest], limit: Int? = nil) async throws -> SearchReport {
        var report = SearchReport()
        var answers: [Answer] = []
        for (number, request) in requests.enumerated() {
            do {
                let answer: Answer = try await calls.answer(to: request, limit: limit, explained: explains)
                report.warn(AnswerNote.warnings(answer.metadata, ageSeconds: answer.ageSeconds))
                if answer.data.works.isEmpty { report.miss(request) }
                answers.append(answer)
            } catch {
                let failure = CommandFailure(error)
                guard requests.count > 1 else { throw failure }
                report.fail(request, failure)
                guard failure.status != .unavailable, failure.status != .interrupted else {
                    report.omit(requests.count - number - 1)
                    break
                }
            }
        }
        report.output = try output(answers, limit: limit)
        if case .table = form { report.warn(Self.summary(answers, limit: limit)) }
        return report
    }

    /// Searches for the editions of a work.
    func editions(_ request: SearchRequest, limit: Int? = nil) async throws -> SearchReport {
        var report = SearchReport()
        do {
            let answer: APIAnswer<EditionResults> = try await calls.answer(to: request, limit: limit)
            let found = answer.data
            report.warn(AnswerNote.warnings(answer.metadata, ageSeconds: answer.ageSeconds))
            switch form {
            case .json: report.output = Self.document(answer.text)
            case .csv: report.output = EditionTableText.table(found.editions).csv
            case .table(let style, let covers):
                report.output = EditionTableText.text(found.editions, style: style, covers: covers)
                report.notes.append(Self.count(found))
            }
        } catch let error as BookstrackError where error.serverCode == .notFound {
            report.miss(request)
        }
        return report
    }

    private func output(_ answers: [Answer], limit: Int?) throws -> String {
        let found = answers.flatMap { answer in SearchHit.books(of: answer.data, limit: limit).map { ($0, answer) } }
        switch form {
        case .json: return try answers.map { try Self.document($0, limit: limit) }.joined()
        case .csv: return BookTableText.csv(found.map(\.0))
        case .table(let style, let covers):
            guard let (book, answer) = found.first else { return "" }
            let reasons = answers.compactMap(\.data.matching).map {
                MatchText.text($0, limit: limit, width: style.width)
            }.joined()
            if found.count > 1 { return BookTableText.text(found.map(\.0), style: style, covers: covers) + reasons }
            let source = AnswerNote.source(answer.metadata, ageSeconds: answer.ageSeconds)
            return SearchHitText.text(book, source: source, width: style.width) + reasons
        }
    }

    /// The response's data, with at most `limit` works if there is a limit. Control characters are escaped.
    private static func document(_ answer: Answer, limit: Int?) throws -> String {
        guard let limit, answer.data.works.count > limit else { return document(answer.text) }
        return UntrustedText.json(String(buffer: try BodyCoding.encode(answer.data.prefix(limit)))) + "\n"
    }

    private static func document(_ envelope: Data) -> String {
        let data = ObjectReader(ByteBuffer(bytes: envelope))?.json("data")
        return data.map { UntrustedText.json(String(buffer: $0)) + "\n" } ?? ""
    }

    /// The number of books and, if all of them are shown, their authors; empty unless a single response has several books.
    private static func summary(_ answers: [Answer], limit: Int?) -> [String] {
        guard answers.count == 1, let results = answers.first?.data, results.works.count > 1 else { return [] }
        let shown = min(results.works.count, limit ?? results.works.count)
        let count = count(shown, of: max(results.works.count, results.totalResults), limit: limit)
        // The authors include those of books that are not shown.
        guard shown == results.works.count, !results.authors.isEmpty else { return [count] }
        return ["\(count) Written by: \(results.authors.map(\.name).joined(separator: "; "))."]
    }
}

extension SearchRun {
    /// Maximum number of works in a response.
    private static let maxWorks = 20

    /// The number of books: "3 books" or, if the list is as long as the limit allows, "3 of about 40 books; use --limit to show up to 20". The
    /// providers' totals are estimates: a response with fewer books than its maximum is complete.
    private static func count(_ shown: Int, of total: Int, limit: Int?) -> String {
        guard shown >= min(limit ?? maxWorks, maxWorks), total > shown else { return "\(shown) books." }
        let more = shown < maxWorks ? "; use --limit to show up to \(maxWorks)" : ""
        return "\(shown) of about \(total) books\(more)."
    }

    /// The number of editions: "1 edition" or, if there are more, "50 of about 120 editions". Open Library's total includes editions that are merged.
    private static func count(_ found: EditionResults) -> String {
        guard found.totalResults > found.resultCount else { return CountText.text(found.resultCount, "edition") + "." }
        return "\(found.resultCount) of about \(found.totalResults) editions."
    }
}

extension SearchResults {
    /// The first works, each with its edition; all authors are kept, because the response does not assign them to works.
    fileprivate func prefix(_ count: Int) -> SearchResults {
        let matching = matching.map { report in
            MatchReport(
                verifiedFrom: report.verifiedFrom, reviewFrom: report.reviewFrom,
                works: Array(report.works.prefix(count)))
        }
        return SearchResults(
            works: Array(works.prefix(count)), editions: Array(editions.prefix(count)), authors: authors,
            totalResults: totalResults, matching: matching)
    }
}

/// The output, the notes and the exit status of one or more searches.
struct SearchReport: Equatable {
    /// The text for standard output.
    var output = ""
    /// Lines for standard error.
    var notes: [String] = []
    var status = ExitStatus.success

    /// Notes that nothing was found for a request.
    mutating func miss(_ request: SearchRequest) {
        notes.append("Nothing was found for \(request.phrase).")
        status = status.combined(with: .incomplete)
    }

    /// Adds the failure of one of several requests.
    mutating func fail(_ request: SearchRequest, _ failure: CommandFailure) {
        notes.append("bookstrack: \(request.phrase): \(failure.message)")
        status = status.combined(with: failure.status)
    }

    /// Notes that the last requests were not sent.
    mutating func omit(_ count: Int) {
        guard count > 0 else { return }
        notes.append(count == 1 ? "The last query was not sent." : "The last \(count) queries were not sent.")
    }

    /// Adds notes about a response.
    mutating func warn(_ warnings: [String]) {
        for warning in warnings where !notes.contains(warning) { notes.append(warning) }
    }

    /// Writes the results to standard output, and the notes to standard error.
    func write(_ options: OutputOptions) {
        options.write(output)
        let lines = notes.flatMap { note in
            StandardStreams.errorColumns.map { TextWrap.lines(note, columns: $0) } ?? [TerminalText.line(note)]
        }
        StandardStreams.writeError(lines.map { $0 + "\n" }.joined())
    }
}

/// The output options of `bookstrack search`.
struct SearchOutput: ParsableArguments {
    @OptionGroup var output: OutputOptions

    @Flag(help: "Print the full cover URLs below the table.")
    var covers = false

    func validate() throws {
        guard output.format == .table || !covers else {
            throw ValidationError("--covers applies to tables; JSON and CSV always contain the cover URLs.")
        }
    }

    var form: SearchRun.Form {
        switch output.format {
        case .table: .table(.standard, covers: covers)
        case .json: .json
        case .csv: .csv
        }
    }
}
