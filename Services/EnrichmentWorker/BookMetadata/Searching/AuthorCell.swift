/// The people in a user's author cell, each name in reading order.
///
/// Users and their programs write "Herbert, Frank", "J.K. Rowling, Jim Kay (Illustrator)", "Gaiman, Neil; Pratchett, Terry" or "Rachel Cohn and David
/// Levithan". Requests contain only the first person. Whether a comma is inside one inverted name or between two people depends on the form of both
/// sides: "Vargas Llosa, Mario" and "Le Guin, Ursula K." are one person, "Neil Gaiman, Terry Pratchett", "Homer, Robert Fagles" and "村上春樹, 柴田元幸"
/// are two.
package struct AuthorCell: Hashable, Sendable {
    /// Names in reading order without roles, honorifics, generational suffixes and years; empty for "Various", "N/A" and "No author".
    package let people: [String]

    package init(_ text: String) {
        guard PersonName.clean(text) != nil else {
            people = []
            return
        }
        people = Self.segments(of: Self.withoutBrackets(PersonName.withoutInfix(text))).flatMap(Self.names(in:))
            .compactMap(PersonName.clean).uniqued()
    }

    /// The person used for a search.
    package var first: String? { people.first }

    // MARK: Between people

    /// Marks that only occur between people.
    private static let marks: Set<Character> = [";", "；", "|", "/", "&", "+", "、", "\n", "\t"]
    /// Words that occur only between people, never inside a name.
    private static let conjunctions: Set<String> = ["and", "with"]
    /// Words that may also occur inside a name, as in "Ortega y Gasset", and therefore separate people only if both sides are full names.
    private static let particlesOrConjunctions: Set<String> = ["und", "et", "y", "e", "och", "og", "en", "i", "и"]

    /// The cell without text in brackets, such as roles ("(Illustrator)") and years, and with full-width and Arabic commas replaced by ASCII commas.
    private static func withoutBrackets(_ text: String) -> String {
        var depth = 0
        return String(
            text.compactMap { character -> Character? in
                switch character {
                case "(", "[", "{", "（", "【": depth += 1
                case ")", "]", "}", "）", "】": depth = max(0, depth - 1)
                case "，", "،": return depth == 0 ? "," : nil
                default: return depth == 0 ? character : nil
                }
                return " "
            })
    }

    private static func segments(of text: String) -> [[Substring]] {
        text.split(whereSeparator: marks.contains).flatMap { part in
            let words = part.split(whereSeparator: \.isWhitespace)
            return words.split { conjunctions.contains($0.lowercased()) }.flatMap { partingFullNames(Array($0)) }
        }
    }

    private static func partingFullNames(_ words: [Substring]) -> [[Substring]] {
        guard let index = words.firstIndex(where: { particlesOrConjunctions.contains($0.lowercased()) }) else {
            return [words]
        }
        let (before, after) = (Array(words[..<index]), Array(words[(index + 1)...]))
        let areNames = before.count > 1 && after.count > 1 && !before.contains { $0.hasSuffix(",") }
        return areNames && !after.contains { $0.hasSuffix(",") } ? [before, after] : [words]
    }

    // MARK: Inside a segment

    /// Words at the start of the family name or at the end of the given names in an inverted name: "Le Guin, Ursula K.", "Beauvoir, Simone de".
    private static let particles: Set<String> = [
        "le", "la", "de", "del", "della", "di", "da", "du", "des", "d'", "d’", "van", "von", "vom", "zu", "den", "der",
        "ter", "ten", "st", "saint", "al", "el", "bin", "ibn", "mac", "mc", "o", "san", "dos", "do",
    ]
    /// People known by a single name. Next to such a name, a comma separates two people.
    private static let knownByOneName: Set<String> = [
        "aeschylus", "aesop", "aristophanes", "aristotle", "augustine", "avi", "boethius", "catullus", "cicero",
        "colette", "confucius", "dante", "epictetus", "epicurus", "euclid", "euripides", "galen", "hafez", "herodotus",
        "hesiod", "hippocrates", "homer", "horace", "josephus", "juvenal", "laozi", "livy", "longus", "lucretius",
        "menander", "moliere", "osho", "ovid", "petronius", "pindar", "plato", "plautus", "plotinus", "plutarch",
        "polybius", "rumi", "saki", "sallust", "sappho", "seneca", "seth", "sophocles", "stendhal", "suetonius",
        "tacitus", "terence", "thucydides", "vercors", "virgil", "voltaire", "xenophon",
    ]

    private static func names(in segment: [Substring]) -> [String] {
        var parts: [[Substring]] = []
        for part in segment.joined(separator: " ").split(separator: ",") {
            let words = PersonName.bare(withoutRole(part.split(separator: " ")), isFirst: parts.isEmpty)
            if !words.isEmpty, !isPlaceholder(words) { parts.append(words) }
        }
        return people(of: parts).map { $0.joined(separator: " ") }
    }

    /// Whether a part is "Unknown" or the like. "N. A." in "Berdyaev, N. A." is not.
    private static func isPlaceholder(_ words: [Substring]) -> Bool {
        PersonName.clean(words.joined(separator: " ")) == nil && !words.allSatisfy(QueryWords.areInitials)
    }

    /// The part without a role or "et al.": "translated by Robert Fagles" becomes "Robert Fagles".
    private static func withoutRole(_ part: [Substring]) -> String {
        let cut = part.indices.dropFirst().first { index in
            ["al", "al."].contains(part[index].lowercased()) && part[index - 1].lowercased() == "et"
        }
        let words = part[..<(cut.map { $0 - 1 } ?? part.endIndex)]
        let start = words.dropLast().prefix(3).firstIndex { $0.lowercased() == "by" }.map { $0 + 1 } ?? words.startIndex
        return words[start...].joined(separator: " ")
    }

    /// The people in the parts between commas.
    private static func people(of parts: [[Substring]]) -> [[Substring]] {
        guard parts.count > 1 else { return parts }
        if parts.count == 2 { return isInverted(parts[0], parts[1]) ? [parts[1] + parts[0]] : parts }
        let pairs = stride(from: 0, to: parts.count - 1, by: 2).map { (family: parts[$0], given: parts[$0 + 1]) }
        // In "莫言, 余华, 苏童, 格非", each part is a full name.
        if parts.count % 2 == 0, !parts.joined().contains(where: isEastAsian),
            pairs.allSatisfy({ isInverted($0.family, $0.given) && $0.family.count < 3 })
        {
            return pairs.map { $0.given + $0.family }
        }
        // "Levitt, Steven D., Stephen J. Dubner": catalogs invert only the first name in a list.
        if isInverted(parts[0], parts[1]), parts.dropFirst(2).allSatisfy({ $0.count > 1 }) {
            return [parts[1] + parts[0]] + parts.dropFirst(2)
        }
        return parts
    }

    /// Whether two parts are the family name and given names of one person.
    private static func isInverted(_ family: [Substring], _ given: [Substring]) -> Bool {
        if family.count == 1, isOneName(family[0]) { return false }
        if given.count == 1, isOneName(given[0]) { return false }
        if (family + given).allSatisfy(isUnspacedFullName) { return false }
        if given.allSatisfy(QueryWords.areInitials) || isParticle(given.last) || isParticle(family.first) {
            return true
        }
        return family.count == 1 || given.count == 1
    }

    private static func isOneName(_ word: Substring) -> Bool { knownByOneName.contains(MatchKey.phrase(String(word))) }

    /// Whether a word has the form of a Chinese or Japanese full name, such as "村上春樹": at least three characters, one of them Chinese.
    private static func isUnspacedFullName(_ word: Substring) -> Bool {
        word.count > 2 && word.unicodeScalars.contains { $0.properties.isIdeographic }
    }

    /// Whether a word has characters of Chinese, Japanese or Korean, from hiragana (U+3040) to Hangul (U+D7A3).
    private static func isEastAsian(_ word: Substring) -> Bool {
        word.unicodeScalars.contains { (0x3040...0xD7A3).contains($0.value) }
    }

    private static func isParticle(_ word: Substring?) -> Bool {
        word.map { particles.contains($0.lowercased().filter { $0 != "." }) } ?? false
    }
}
