import BookIdentifiers
import Foundation
import NIOConcurrencyHelpers

/// Finds entries by words of their titles and authors, ignoring case and diacritics. The index is built at the first search, since most runs only
/// look up ISBNs.
final class TitleIndex: Sendable {
    struct Entry: Sendable {
        let title: String
        /// Other titles by which the entry can be found.
        var otherTitles: [String] = []
        let authors: [String]
    }

    /// Words that must all be found; a free word may be in the title or in an author's name.
    struct Query: Equatable, Sendable {
        var title = ""
        var author = ""
        var free = ""
        /// Words that must be adjacent and in this order; they are also contained in the fields above.
        var phrases: [Phrase] = []
    }

    /// Adjacent folded words.
    struct Phrase: Equatable, Sendable {
        enum Field: Sendable {
            case title
            case author
            case anywhere
        }

        let field: Field
        let words: [String]
    }

    private let entries: [Entry]
    private let words = NIOLockedValueBox<WordPlaces?>(nil)

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// Indices of the matching entries, exact titles first, then in the order of the entries; empty for a query without
    /// words.
    func search(_ query: Query) -> [Int] {
        let words = built
        var lists =
            query.title.foldedWords.map { [words.title[$0] ?? []] }
            + query.author.foldedWords.map { [words.author[$0] ?? []] }
            + query.free.foldedWords.map { [words.title[$0] ?? [], words.author[$0] ?? []] }
        lists.sort { $0.reduce(0) { $0 + $1.count } < $1.reduce(0) { $0 + $1.count } }
        guard let rarest = lists.first else { return [] }
        let found = Set(rarest.joined()).sorted().filter { place in
            lists.dropFirst().allSatisfy { $0.contains { Self.contains(place, in: $0) } }
                && query.phrases.allSatisfy { entries[place].has($0) }
        }
        let exact = StableHash.of((query.title.isEmpty ? query.free : query.title).folded)
        return found.filter { words.titleHashes[$0] == exact } + found.filter { words.titleHashes[$0] != exact }
    }

    private var built: WordPlaces {
        words.withLockedValue { words in
            let built = words ?? WordPlaces(entries)
            words = built
            return built
        }
    }

    /// Whether an ascending list contains an index (binary search).
    private static func contains(_ place: Int, in list: [Int]) -> Bool {
        var range = 0..<list.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if list[middle] == place { return true }
            range = list[middle] < place ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }
}

extension TitleIndex.Entry {
    fileprivate func has(_ phrase: TitleIndex.Phrase) -> Bool {
        let texts =
            switch phrase.field {
            case .title: [title] + otherTitles
            case .author: authors
            case .anywhere: [title] + otherTitles + authors
            }
        return texts.contains { text in
            let words = text.foldedWords
            guard words.count >= phrase.words.count else { return false }
            return (0...words.count - phrase.words.count).contains { start in
                words[start..<start + phrase.words.count].elementsEqual(phrase.words)
            }
        }
    }
}

/// For each folded word, the ascending indices of the entries that contain it.
private struct WordPlaces: Sendable {
    private(set) var title: [String: [Int]] = [:]
    private(set) var author: [String: [Int]] = [:]
    /// Hash of each entry's folded title.
    let titleHashes: [UInt64]

    init(_ entries: [TitleIndex.Entry]) {
        titleHashes = entries.map { StableHash.of($0.title.folded) }
        for (place, entry) in entries.enumerated() {
            for word in Set(([entry.title] + entry.otherTitles).flatMap(\.foldedWords)) {
                title[word, default: []].append(place)
            }
            for word in Set(entry.authors.flatMap(\.foldedWords)) { author[word, default: []].append(place) }
        }
    }
}

extension String {
    /// The text without case, diacritics and full-width forms: the form in which strings are compared by searches.
    var folded: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// The folded words: runs of letters and digits.
    var foldedWords: [String] {
        folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}

/// Index of a wrong book for the response: the book after the right one or, for an unknown ISBN, a book chosen by the ISBN's hash. Nil if there is no
/// wrong book.
func wrongIndex(for isbn: ISBN, known index: Int?, count: Int) -> Int? {
    guard count > 0 else { return nil }
    guard let index else { return Int(StableHash.of(isbn.isbn13) % UInt64(count)) }
    return count > 1 ? (index + 1) % count : nil
}
