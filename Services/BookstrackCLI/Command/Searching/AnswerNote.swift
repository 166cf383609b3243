import BookstrackContract
import ServiceKit

/// Notes about a response: its source and age, and what may be wrong with it.
enum AnswerNote {
    /// The source and age of a response: "from Open Library", "from the cache, 5 min old".
    static func source(_ metadata: ResponseMetadata, ageSeconds: Int?) -> String {
        guard metadata.cached == true else {
            let provider = metadata.provider.flatMap(DataProvider.init(rawValue:))
            return provider.map { "from \($0.displayName)" } ?? "from the providers"
        }
        let expired = metadata.stale == true ? ", expired" : ""
        return "from the cache" + (ageSeconds.map { ", \(age($0)) old" } ?? "") + expired
    }

    /// Warnings about expired results and failed providers.
    static func warnings(_ metadata: ResponseMetadata, ageSeconds: Int?) -> [String] {
        var warnings: [String] = []
        if metadata.stale == true {
            let old = ageSeconds.map { " (\(age($0)) old)" } ?? ""
            warnings.append("This result has expired\(old): a newer one is being fetched, or the provider is failing.")
        }
        return warnings + (metadata.providers ?? []).compactMap(warning)
    }

    private static func warning(_ report: ProviderReport) -> String? {
        let name = report.provider.displayName
        switch report.outcome {
        case .ok, .notFound: return nil
        case .timeout: return "\(name) did not respond in time, so results may be incomplete; try again in a moment."
        case .quotaExhausted:
            let advice =
                report.provider == .googleBooks
                ? "try again later, or set BOOKSTRACK_GOOGLE_BOOKS_API_KEY if the server has no key" : "try again later"
            return "The quota for \(name) is used up, so results may be incomplete; \(advice)."
        case .error:
            return
                "\(name) failed, so results may be incomplete; try again, or check: bookstrack health enrichment-worker"
        }
    }

    /// A duration in a single unit.
    static func age(_ seconds: Int) -> String {
        switch seconds {
        case ..<100: "\(seconds) s"
        case ..<6_000: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}

/// Why each book of a search by title was found, shown below the books.
enum MatchText {
    /// A heading with the thresholds and, for each book, its number, verdict, score and reasons.
    static func text(_ report: MatchReport, limit: Int?, width: Int) -> String {
        var lines = [
            "",
            "Why: books scoring \(score(report.verifiedFrom)) or more are verified; others from \(score(report.reviewFrom)) up need review.",
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
        case .other: "a different book"
        }
    }

    /// A score with two decimal places, for example "0.85".
    private static func score(_ score: Double) -> String {
        let hundredths = Int(nearest: score * 100)
        return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
    }
}
