/// Finds items by how their labels and aliases begin, without regard to case and diacritics.
struct EntityNameIndex: Sendable {
    struct Name: Sendable {
        let text: String
        let language: String
        /// An alias otherwise.
        let isLabel: Bool
    }

    struct Match: Sendable {
        /// The place of the subject.
        let subject: Int
        let name: Name
    }

    private struct Entry: Sendable {
        let folded: String
        let match: Match
    }

    private let entries: [Entry]

    /// - Parameter subjects: The names of each subject.
    init(_ subjects: [[Name]]) {
        entries = subjects.enumerated().flatMap { place, names in
            names.map { Entry(folded: $0.text.folded, match: Match(subject: place, name: $0)) }
        }.sorted { ($0.folded, $0.match.subject) < ($1.folded, $1.match.subject) }
    }

    /// One match per subject: exact names first, else in the order of the subjects.
    ///
    /// - Parameter language: Nil for names of every language.
    func search(_ text: String, language: String?) -> [Match] {
        let wanted = text.folded
        guard !wanted.isEmpty else { return [] }
        var best: [Int: (rank: Int, match: Match)] = [:]
        for entry in entries[firstPlace(of: wanted)...] {
            guard entry.folded.hasPrefix(wanted) else { break }
            if let language, entry.match.name.language != language { continue }
            let rank = (entry.folded == wanted ? 0 : 2) + (entry.match.name.isLabel ? 0 : 1)
            if let known = best[entry.match.subject], known.rank <= rank { continue }
            best[entry.match.subject] = (rank, entry.match)
        }
        return best.values.sorted { ($0.rank / 2, $0.match.subject) < ($1.rank / 2, $1.match.subject) }.map(\.match)
    }

    private func firstPlace(of text: String) -> Int {
        var range = 0..<entries.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = entries[middle].folded < text ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
