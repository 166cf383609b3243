import BookstrackContract

/// Finds the work for a spine among the providers' answers (Matching.md "Spines").
///
/// A candidate's score depends mainly on how much of its title is on the spine, in any order; the presence of an author and the absence of other
/// words count in its favor. A verified candidate is also the best match for its own title and author (``TitleMatch``), so a study guide or the
/// second volume is not taken for the book.
package enum SpineMatch {
    /// Weights of the score's parts: the title's presence on the spine, the share of the spine that the candidate explains, and the author's presence
    /// on the spine.
    private static let weights = (title: 0.55, explained: 0.25, author: 0.2)
    /// Minimum share of a title that must be on the spine; with less, the title is in doubt.
    private static let minTitle = 0.8
    /// Minimum share of the spine that a candidate must explain if its author is not on the spine.
    private static let minExplained = 0.85
    private static let minLetters = 10
    private static let maxForReview = 0.84
    /// Candidates whose scores differ by less than this cannot be distinguished.
    private static let minLead = 0.02

    /// The verdict on the best of the candidates for a spine.
    ///
    /// - Parameter candidates: Candidates in their providers' order, such as the answers to the searches of ``SpineSearch``.
    package static func best(for spine: SpineText, among candidates: [BookCandidate]) -> MatchVerdict {
        let fits = fits(candidates, on: spine)
        guard let best = fits.first, best.score >= TitleMatch.needsReview else {
            return .notFound(candidates: Array(near(fits).prefix(TitleMatch.maxCandidates)))
        }
        let verdict = TitleMatch.best(for: best.query, among: candidates)
        let isContested = fits.dropFirst().contains { other in
            other.score > best.score - minLead && !other.isSameBook(as: best)
        }
        if best.score >= TitleMatch.verified, !isContested, case .verified(let match, let agreeing) = verdict,
            Fit(match.candidate, on: spine).isSameBook(as: best)
        {
            let score = min(best.score, match.score)
            return .verified(
                ScoredCandidate(candidate: match.candidate, score: score, evidence: match.evidence), agreeing: agreeing)
        }
        let score = min(best.score, maxForReview)
        return .needsReview(ScoredCandidate(candidate: best.candidate, score: score, evidence: []))
    }

    /// All candidates that may be the book, most likely first.
    package static func ranked(_ candidates: [BookCandidate], for spine: SpineText) -> [ScoredCandidate] {
        near(fits(candidates, on: spine))
    }

    private static func fits(_ candidates: [BookCandidate], on spine: SpineText) -> [Fit] {
        candidates.map { Fit($0, on: spine) }.enumerated()
            .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element)
    }

    private static func near(_ fits: [Fit]) -> [ScoredCandidate] {
        fits.filter { $0.score >= TitleMatch.nearMiss }.map {
            ScoredCandidate(candidate: $0.candidate, score: $0.score, evidence: [])
        }
    }

    /// How a candidate fits a spine.
    private struct Fit {
        let candidate: BookCandidate
        let score: Double
        let query: BookQuery
        private let forms: BookForms

        init(_ candidate: BookCandidate, on spine: SpineText) {
            self.candidate = candidate
            forms = BookForms(candidate)
            let title = Coverage(forms.title.mainWords, on: spine)
            let subtitle = Coverage(forms.title.subtitleWords, on: spine)
            let authors = forms.authors.compactMap { name in
                name.words.last.map { ($0, Coverage(name.words, on: spine)) }
            }
            let named = authors.filter { SpineWord.find($0.0, on: spine).sureness > 0 }.map(\.1)
            let explained = Self.explained([title, subtitle] + named, of: spine)
            let hasAuthor = !named.isEmpty
            var score =
                weights.title * title.share + weights.explained * explained + weights.author * (hasAuthor ? 1 : 0)
            let isBare = !hasAuthor && explained >= minExplained && title.letters >= minLetters && title.words > 1
            if isBare { score = max(score, title.share * (0.65 + 0.25 * explained)) }
            if title.share < minTitle || (!hasAuthor && !isBare) { score = min(score, maxForReview) }
            if title.share < 0.5 { score = min(score, TitleMatch.needsReview - 0.01) }
            self.score = score
            // A subtitle on the spine is part of the query.
            let isSubtitled = subtitle.words > 0 && subtitle.share >= minTitle
            let whole = [candidate.title, candidate.subtitle].compactMap(\.self).joined(separator: ": ")
            query = BookQuery(
                title: isSubtitled ? whole : forms.title.main, author: hasAuthor ? candidate.authors.first?.name : nil)
        }

        func isSameBook(as other: Fit) -> Bool {
            forms.title.mainWords == other.forms.title.mainWords && forms.hasCommonAuthor(with: other.forms)
        }

        /// The share of the spine's letters that a candidate accounts for. Fillers, words of fewer than three letters, and words that do not help to
        /// identify a work (``SpineNoise``) count only if the candidate has them.
        private static func explained(_ coverages: [Coverage], of spine: SpineText) -> Double {
            let places = coverages.flatMap(\.places)
            var (all, found, offset) = (0, 0, 0)
            for word in spine.words {
                let place = offset..<(offset + word.unicodeScalars.count)
                offset = place.upperBound
                let inside = places.map { $0.clamped(to: place).count }.max() ?? 0
                if inside == 0, SpineNoise.contains(word) || TitleWords.isFiller(word) || place.count < 3 { continue }
                all += place.count
                found += places.reduce(into: Set<Int>()) { $0.formUnion($1.clamped(to: place)) }.count
            }
            return all == 0 ? 0 : Double(found) / Double(all)
        }
    }

    /// How much of a set of words is on a spine.
    private struct Coverage {
        /// The share of the words that is on the spine, from 0 to 1, by letters; fillers such as articles count only if there are no other words.
        let share: Double
        /// Number of words that count.
        let words: Int
        /// Number of letters in these words.
        let letters: Int
        let places: [Range<Int>]

        init(_ all: [String], on spine: SpineText) {
            let telling = all.filter { !TitleWords.isFiller($0) }
            let counted = telling.isEmpty ? all : telling
            let found = counted.map { SpineWord.find($0, on: spine) }
            let weights = counted.map(\.unicodeScalars.count)
            words = counted.count
            letters = weights.reduce(0, +)
            let sure = zip(found, weights).reduce(0) { $0 + $1.0.sureness * Double($1.1) }
            share = letters == 0 ? 0 : sure / Double(letters)
            places =
                found.compactMap(\.place)
                + all.filter(TitleWords.isFiller).compactMap { SpineWord.find($0, on: spine).place }
        }
    }
}
