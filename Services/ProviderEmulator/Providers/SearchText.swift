import BookIdentifiers
import Foundation

/// The supported part of Open Library's and Google Books' search languages: `isbn:…`, `isbn:(… OR …)`, `key:…` and `key:(… OR …)` (Open Library
/// only), a field with one word or a quoted phrase, free words and phrases. A field applies to the word or phrase that follows it without a space.
enum SearchText {
    /// The ISBNs of an `isbn:` query.
    static func isbns(in text: String) -> [ISBN] {
        guard text.range(of: "isbn:", options: .caseInsensitive) != nil else { return [] }
        let words = text.utf8.filter { $0 != UInt8(ascii: "-") }.split { !isAlphanumeric($0) }
        return words.compactMap { word in
            word.count == 10 || word.count == 13 ? ISBN(String(decoding: word, as: UTF8.self)) : nil
        }
    }

    /// The paths of `key:/works/OL45804W` and `key:("/works/OL45804W" OR …)`.
    static func keys(in text: String) -> [String] {
        guard text.hasPrefix("key:") else { return [] }
        return text.dropFirst("key:".count).split { " ()\"".contains($0) }.map(String.init).filter { $0 != "OR" }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    static func query(_ text: String, titleField: String, authorField: String) -> TitleIndex.Query {
        var query = TitleIndex.Query()
        var rest = Substring(text)
        while let word = nextWord(&rest) {
            if let value = word.value(of: titleField) {
                query.title += " " + value
                query.addPhrase(value, in: .title)
            } else if let value = word.value(of: authorField) {
                query.author += " " + value
                query.addPhrase(value, in: .author)
            } else if word != "AND" {
                query.free += " " + word
                query.addPhrase(word, in: .anywhere)
            }
        }
        return query
    }

    /// Consumes the next word; nil at the end. Spaces inside quotation marks or parentheses do not end the word.
    private static func nextWord(_ rest: inout Substring) -> String? {
        rest = rest.drop { $0 == " " }
        guard !rest.isEmpty else { return nil }
        var quoted = false
        var depth = 0
        let word = rest.prefix { character in
            switch character {
            case "\"": quoted.toggle()
            case "(" where !quoted: depth += 1
            case ")" where !quoted: depth -= 1
            case " ": return quoted || depth > 0
            default: break
            }
            return true
        }
        rest.removeFirst(word.count)
        return String(word)
    }
}

extension String {
    fileprivate func value(of field: String) -> String? {
        lowercased().hasPrefix(field) ? String(dropFirst(field.count)) : nil
    }
}

extension TitleIndex.Query {
    /// The author's name as a key for faults; none for a query without an author.
    var authorKeys: [AskedKey] {
        let words = author.filter { $0 != "\"" }
        return words.isEmpty ? [] : [.author(words.folded)]
    }

    /// The same query without spaces around its parts.
    var trimmed: Self {
        func trim(_ text: String) -> String {
            String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        return Self(title: trim(title), author: trim(author), free: trim(free), phrases: phrases)
    }

    /// Adds a phrase if `text` begins with a quotation mark and has more than one word.
    fileprivate mutating func addPhrase(_ text: String, in field: TitleIndex.Phrase.Field) {
        let words = text.foldedWords
        if text.hasPrefix("\""), words.count > 1 { phrases.append(TitleIndex.Phrase(field: field, words: words)) }
    }
}
