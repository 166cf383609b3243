import Foundation
import NIOConcurrencyHelpers

/// Finds entries by words of their titles and authors, without regard to case and diacritics. It is built at the first search, since
/// most runs only ask for ISBNs.
final class TitleIndex: Sendable {
    struct Entry: Sendable {
        let title: String
        let authors: [String]
    }

    /// Words that must all be found; a free word may stand in the title or in an author's name.
    struct Query: Equatable, Sendable {
        var title = ""
        var author = ""
        var free = ""
    }

    private struct Postings {
        var title: [String: Set<Int>] = [:]
        var author: [String: Set<Int>] = [:]
    }

    private let entries: [Entry]
    private let postings = NIOLockedValueBox<Postings?>(nil)

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The places of the entries that match, exact titles first, else in the order of the entries; none for a query without words.
    func search(_ query: Query) -> [Int] {
        let matches = postings.withLockedValue { postings in
            let built = postings ?? Self.postings(of: entries)
            postings = built
            var found: Set<Int>?
            for word in Self.words(query.title) { Self.narrow(&found, to: built.title[word] ?? []) }
            for word in Self.words(query.author) { Self.narrow(&found, to: built.author[word] ?? []) }
            for word in Self.words(query.free) {
                Self.narrow(&found, to: (built.title[word] ?? []).union(built.author[word] ?? []))
            }
            return found ?? []
        }
        let exact = Self.folded(query.title.isEmpty ? query.free : query.title)
        return matches.sorted { lhs, rhs in
            let order = (Self.folded(entries[lhs].title) == exact, Self.folded(entries[rhs].title) == exact)
            return order.0 == order.1 ? lhs < rhs : order.0
        }
    }

    private static func narrow(_ found: inout Set<Int>?, to matches: Set<Int>) {
        found = found?.intersection(matches) ?? matches
    }

    private static func postings(of entries: [Entry]) -> Postings {
        var postings = Postings()
        for (index, entry) in entries.enumerated() {
            for word in words(entry.title) { postings.title[word, default: []].insert(index) }
            for word in entry.authors.flatMap(words) { postings.author[word, default: []].insert(index) }
        }
        return postings
    }

    private static func words(_ text: String) -> [String] {
        folded(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
