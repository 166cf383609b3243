import BookstrackContract
import ProgressClient

/// What there is to say about where an answer came from.
enum AnswerNote {
    /// Where it came from and how old it is: "from Open Library", "from the cache, 5 min old".
    static func source(_ metadata: ResponseMetadata, ageSeconds: Int?) -> String {
        guard metadata.cached == true else {
            let provider = metadata.provider.flatMap(DataProvider.init(rawValue:))
            return provider.map { "from \($0.displayName)" } ?? "from the providers"
        }
        let expired = metadata.stale == true ? ", expired" : ""
        return "from the cache" + (ageSeconds.map { ", \(age($0)) old" } ?? "") + expired
    }

    /// What a reader should be warned of: an answer that has expired, providers that are missing from it.
    static func warnings(_ metadata: ResponseMetadata, ageSeconds: Int?) -> [String] {
        var warnings: [String] = []
        if metadata.stale == true {
            let old = ageSeconds.map { " (\(age($0)) old)" } ?? ""
            warnings.append("This answer has expired\(old): a newer one is being fetched, or its provider is failing.")
        }
        return warnings + (metadata.providers ?? []).compactMap(warning)
    }

    private static func warning(_ report: ProviderReport) -> String? {
        let name = report.provider.displayName
        switch report.outcome {
        case .ok, .notFound: return nil
        case .timeout: return "\(name) did not answer in time, so something may be missing; try again in a moment."
        case .quotaExhausted: return "\(name) has no requests left, so something may be missing; \(QuotaHint.text)."
        case .error:
            return
                "\(name) failed, so something may be missing; try again, or check: bookstrack health enrichment-worker"
        }
    }

    /// A time in its largest unit.
    static func age(_ seconds: Int) -> String {
        switch seconds {
        case ..<100: "\(seconds) s"
        case ..<6_000: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
