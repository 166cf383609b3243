import BookstrackContract
import ServiceKit

/// Why each book of a search by title was found, below the table of the books.
enum MatchText {
    /// A heading with the thresholds; of each book its number in the table, verdict, score and the reasons.
    static func text(_ report: MatchReport, limit: Int?, width: Int) -> String {
        var lines = [
            "",
            "Why: a score from \(score(report.verifiedFrom)) is verified, one from \(score(report.reviewFrom)) is left for review.",
        ]
        for (number, work) in report.works.prefix(limit ?? report.works.count).enumerated() {
            let book = work.title + (work.authors.isEmpty ? "" : " by " + work.authors.joined(separator: ", "))
            lines += ["", TerminalText.line("\(number + 1)  \(name(work.verdict)) (\(score(work.score))): \(book)")]
            for reason in work.reasons {
                let wrapped = TextWrap.lines(reason.text, columns: max(20, width - 5))
                lines += wrapped.enumerated().map { row, line in
                    row == 0 ? "   \(reason.agrees ? "+" : "-") \(line)" : "     \(line)"
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func name(_ verdict: MatchReport.Verdict) -> String {
        switch verdict {
        case .verified: "verified"
        case .needsReview: "for review"
        case .other: "another book"
        }
    }

    /// "0.85", as the service rounds it.
    private static func score(_ score: Double) -> String {
        let hundredths = Int((score * 100).rounded())
        return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
    }
}
