/// A person's name, split into words for comparison.
struct AuthorName {
    /// Minimum similarity of two names that may belong to the same person.
    static let samePerson = 0.7

    /// Folded words in reading order: given names, then the family name.
    let words: [String]

    /// Parses one person's name, which may be inverted; `nil` for placeholders and for text whose words all contain digits.
    init?(_ name: String) {
        guard PersonName.clean(name) != nil else { return nil }
        let parts = PersonName.withoutInfix(name).split(separator: ",").enumerated().map { index, part in
            PersonName.bare(part, isFirst: index == 0).flatMap { MatchKey.words(String($0)) }
        }.filter { !$0.isEmpty }
        words = parts.count > 1 ? Array(parts.dropFirst().joined()) + parts[0] : parts.first ?? []
        if words.isEmpty { return nil }
    }

    /// The people in a client's author field: "Neil Gaiman & Terry Pratchett", "Tolkien, J. R. R.; Lee, Alan".
    static func list(_ text: String) -> [AuthorName] { AuthorCell(text).people.compactMap(AuthorName.init) }

    /// The similarity of two names, from 0 to 1; nil if they have no script in common and are not transliterations of each other.
    func similarity(to other: AuthorName) -> Double? {
        if words == other.words || Set(words) == Set(other.words) { return 1 }
        guard isComparable(to: other) else { return isTransliteration(of: other) ? 0.9 : nil }
        // Names in scripts without spaces may still be written with a space: 宮沢 賢治.
        if !isLatin, words.joined() == other.words.joined() { return 1 }
        let (fewer, more) = words.count < other.words.count ? (words, other.words) : (other.words, words)
        // "Alexandre Dumas fils" is the son of "Alexandre Dumas".
        if (words.last == "fils") != (other.words.last == "fils") { return 0.6 }
        if fewer.count > 1, fewer.allSatisfy({ $0.count > 1 && more.contains($0) }) { return 0.9 }
        let family = familySimilarity(to: other)
        return family * (0.2 + 0.8 * givenSimilarity(to: other))
    }

    private var isLatin: Bool {
        words.joined().unicodeScalars.allSatisfy { $0.value < 0x250 }
    }

    /// Whether both names are Latin, or neither is and they have a script in common: Japanese names mix several.
    private func isComparable(to other: AuthorName) -> Bool {
        guard isLatin == other.isLatin else { return false }
        return isLatin || !scripts.isDisjoint(with: other.scripts)
    }

    /// The scripts of the letters, as the first words of their Unicode names: "CYRILLIC", "HIRAGANA", "CJK".
    private var scripts: Set<String> {
        let letters = words.joined().unicodeScalars.filter(\.properties.isAlphabetic)
        return Set(letters.compactMap { $0.properties.name?.split(separator: " ").first.map(String.init) })
    }

    /// Latin consonants for Cyrillic and Greek letters, as ``skeleton(_:)`` reduces their English transliterations: ч is "k", because "ch" loses its
    /// h and c becomes k. Vowels and signs are not included, because their transliterations differ.
    private static let consonants: [Unicode.Scalar: String] = [
        "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "ж": "z", "з": "z", "к": "k", "л": "l", "м": "m", "н": "n",
        "п": "p",
        "р": "r", "с": "s", "т": "t", "ф": "f", "х": "k", "ц": "ts", "ч": "k", "ш": "s", "щ": "sk", "β": "v", "γ": "g",
        "δ": "d",
        "ζ": "z", "θ": "t", "κ": "k", "λ": "l", "μ": "m", "ν": "n", "ξ": "ks", "π": "p", "ρ": "r", "σ": "s", "ς": "s",
        "τ": "t",
        "φ": "f", "χ": "k", "ψ": "ps",
    ]
    private static let silent = Set("аеиоуыэюяёіїєъьαεηιουω".unicodeScalars)
    private static let latinConsonants: [Unicode.Scalar: Character] = ["c": "k", "q": "k", "w": "v"]

    /// Whether one name may be a transliteration of the other: the family names have the same consonants, at least two, and the first names have
    /// the same first consonant, if any.
    private func isTransliteration(of other: AuthorName) -> Bool {
        guard words.count > 1, other.words.count > 1, let ours = words.last.flatMap(Self.skeleton),
            let theirs = other.words.last.flatMap(Self.skeleton), ours == theirs, ours.count > 1
        else { return false }
        let initials = (words.first.flatMap(Self.skeleton)?.first, other.words.first.flatMap(Self.skeleton)?.first)
        return initials.0 == initials.1
    }

    /// The consonants of a word in Latin letters, except h, j and y, which transliterations use inconsistently; `nil` for other scripts.
    private static func skeleton(_ word: String) -> String? {
        var skeleton = ""
        for scalar in word.unicodeScalars {
            if scalar.isASCII {
                guard !"aeiouyjh".unicodeScalars.contains(scalar) else { continue }
                skeleton.append(latinConsonants[scalar] ?? Character(scalar))
            } else if let letters = consonants[scalar] {
                skeleton += letters
            } else if !silent.contains(scalar) {
                return nil
            }
        }
        return skeleton
    }

    private var given: ArraySlice<String> { words.dropLast() }

    private func familySimilarity(to other: AuthorName) -> Double {
        guard let ours = words.last, let theirs = other.words.last else { return 0 }
        // The middle names differ ("Philip K. Dick", "Philip Kindred Dick"), or the family name is misspelled ("Siegal", "Siegel").
        if ours == theirs || TitleWords.isSlip(ours, theirs), given.first == other.given.first { return 0.9 }
        // A narrow field truncates long names: "Csikszent".
        let (shorter, longer) = ours.utf8.count < theirs.utf8.count ? (ours, theirs) : (theirs, ours)
        if shorter.utf8.count > 7, longer.hasPrefix(shorter), given.first == other.given.first { return 0.9 }
        let similarity = TitleWords.similarity([ours], [theirs])
        return similarity >= 0.7 ? similarity : 0
    }

    /// The similarity of the given names, from 0 to 1. Initials agree with the names that they may abbreviate; different names with the same initial
    /// ("Dan", "Dale") agree partly. A missing given name hardly counts against a match.
    private func givenSimilarity(to other: AuthorName) -> Double {
        guard let ours = given.first, let theirs = other.given.first else { return 0.9 }
        if ours == theirs { return 1 }
        if ours.count == 1 || theirs.count == 1 { return ours.first == theirs.first ? 0.95 : 0 }
        if TitleWords.isSlip(ours, theirs) { return 0.9 }
        if ours == other.initials || theirs == initials { return 0.95 }
        // "Dave" is David, and "Isabelle" may be Isabel.
        let isShort = min(ours.count, theirs.count) < 6 || ours.hasPrefix(theirs) || theirs.hasPrefix(ours)
        if isShort, ours.count > 2, ours.prefix(3) == theirs.prefix(3) { return 0.9 }
        if Self.nicknames[ours] == theirs || Self.nicknames[theirs] == ours { return 0.9 }
        return ours.first == theirs.first ? 0.6 : 0
    }

    /// Short forms, most of which are not a prefix of the name, and other spellings.
    private static let nicknames = [
        "jim": "james", "bill": "william", "will": "william", "bob": "robert", "rob": "robert", "dick": "richard",
        "rick": "richard", "larry": "lawrence", "jack": "john", "ted": "edward", "ned": "edward", "tony": "anthony",
        "kate": "katherine", "liz": "elizabeth", "beth": "elizabeth", "peggy": "margaret", "maggie": "margaret",
        "mike": "michael", "hank": "henry", "harry": "henry", "charlie": "charles", "chuck": "charles",
        "andy": "andrew", "drew": "andrew", "jeff": "jeffrey", "geoff": "geoffrey", "sandy": "alexander",
        "sasha": "alexander", "tom": "thomas", "joe": "joseph", "jake": "jacob", "ed": "edward", "jon": "john",
        "alan": "allan", "allen": "alan", "steven": "stephen", "kathryn": "katherine", "lev": "leo",
        "aleksandr": "alexander", "mikhail": "michael", "fedor": "fyodor", "nicolas": "nikolai",
        "friedrich": "frederick", "jeffery": "jeffrey", "jimmy": "james", "wm": "william", "ana": "anna",
    ]

    /// The initials of the given names: "jrr" for J. R. R. Tolkien.
    var initials: String { String(given.compactMap(\.first)) }
}
