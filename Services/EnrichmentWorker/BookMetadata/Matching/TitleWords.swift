/// Words in titles, normalized to one spelling.
enum TitleWords {
    private static let spellings = [
        "boxed": "box", "colouring": "coloring", "grey": "gray", "dr": "doctor", "mr": "mister", "st": "saint",
        "theatre": "theater", "centre": "center", "fibre": "fiber", "sabre": "saber", "spectre": "specter",
        "catalogue": "catalog", "dialogue": "dialog", "dialogues": "dialogs", "plough": "plow", "mediaeval": "medieval",
        "encyclopaedia": "encyclopedia", "defence": "defense", "offence": "offense", "licence": "license",
        "practise": "practice", "judgement": "judgment", "programme": "program", "aeroplane": "airplane",
        "gipsy": "gypsy", "gipsies": "gypsies", "gaol": "jail", "cosy": "cozy", "sceptic": "skeptic",
        "whisky": "whiskey",
        "mum": "mom", "ageing": "aging", "mould": "mold", "tyre": "tire", "draught": "draft", "moustache": "mustache",
    ]

    /// Folded words in normalized spelling, with numbers in digits.
    static func folded(_ text: String) -> [String] {
        let words = Numeral.reading(WordSigns.joined(MatchKey.words(numbered(text))))
        return words.map { spellings[$0] ?? american($0) }
    }

    /// The American spelling: "harbor", "traveler", "realizing" for "harbour", "traveller", "realising".
    private static func american(_ word: String) -> String {
        guard word.utf8.count > 5 else { return word }
        if let stem = doubled.first(where: word.hasPrefix), word.utf8.count > stem.utf8.count + 1 {
            return String(stem.dropLast()) + word.dropFirst(stem.utf8.count)
        }
        for (ending, other) in endings where word.hasSuffix(ending) {
            return word.dropLast(ending.utf8.count) + other
        }
        return word
    }

    /// Stems with a second "l" before an ending.
    private static let doubled = [
        "travell", "counsell", "marvell", "modell", "cancell", "labell", "levell", "chisell", "panell",
    ]
    private static let endings = [
        ("our", "or"), ("ours", "ors"), ("ising", "izing"), ("isation", "ization"), ("alise", "alize"),
        ("nise", "nize"),
        ("yser", "yzer"), ("ysing", "yzing"), ("jewellery", "jewelry"),
    ]

    /// Marks issue numbers: "Saga #1" is an issue, while "Saga, Volume One" contains several, and "C# 12" is a language.
    private static func numbered(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "#")) else { return text }
        return text.split(separator: "#", omittingEmptySubsequences: false).reduce("") { read, piece in
            let isNumber = piece.first { $0 != " " }?.isNumber == true
            let isCounted = read.hasSuffix("Book ") || read.hasSuffix("book ")
            let isPart = piece.first?.isNumber != true && WordSigns.endsInSingleLetter(read.unicodeScalars)
            return read.isEmpty && !text.hasPrefix("#")
                ? String(piece) : read + (isNumber && !isCounted && !isPart ? " issue " : "#") + piece
        }
    }

    /// Whether a word is a filler, which does not distinguish books.
    static func isFiller(_ word: String) -> Bool { word.utf8.count < 4 && FunctionWords.fillers.contains(word) }

    /// Whether a word distinguishes books: it is neither a filler, a number nor a volume word.
    static func tells(_ word: String) -> Bool {
        !isFiller(word) && !Numeral.isNumber(word) && !Numeral.isVolumeWord(word)
    }

    /// Whether a word distinguishes books (``tells(_:)``) and, unlike "with" and "not", is not common in English titles.
    static func isContent(_ word: String) -> Bool {
        tells(word) && FunctionWords.common["en"]?.contains(word) != true
    }

    /// Words without the article in "The Hobbit" or "Hobbit, The".
    static func withoutArticle(_ words: [String]) -> [String] {
        guard words.count > 1 else { return words }
        if FunctionWords.articles[words[0]] != nil { return Array(words.dropFirst()) }
        if FunctionWords.articles[words[words.count - 1]] != nil, words[words.count - 1].utf8.count > 1 {
            return Array(words.dropLast())
        }
        return words
    }

    /// Whether two articles belong to different languages, so that one title may be a translation of the other: "Das Hotel", "El Hotel".
    static func areOfDifferentLanguages(_ one: String, _ other: String) -> Bool {
        guard let ours = FunctionWords.articles[one], let theirs = FunctionWords.articles[other] else { return false }
        return ours.isDisjoint(with: theirs)
    }

    /// Whether words indicate a language, other than English, that neither the title nor its article indicates.
    static func isForeign(_ words: [String], to title: TitleForms) -> Bool {
        guard let languages = words.lazy.compactMap(FunctionWords.languages(shownBy:)).first, !languages.contains("en")
        else {
            return false
        }
        let others = ([title.article].compactMap { $0 } + title.mainWords).compactMap(FunctionWords.languages(shownBy:))
        return !others.contains { !$0.isDisjoint(with: languages) }
    }

    /// The languages whose common words (``FunctionWords/common``) occur most often among the words; empty if none occur.
    static func languages(of words: [String]) -> Set<String> {
        let counts = FunctionWords.common.mapValues { common in words.count(where: common.contains) }
        guard let most = counts.values.max(), most > 0 else { return [] }
        return Set(counts.filter { $0.value == most }.keys)
    }

    /// Whether a word is an article that indicates a language other than English.
    static func isForeignArticle(_ word: String) -> Bool {
        FunctionWords.articles[word].map { !$0.contains("en") } == true
    }

    /// Whether two words are probably forms of the same word: "christian", "christianity".
    static func areInflected(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        let common = zip(one.unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.count
        return common >= 5 && common * 3 >= max(one.unicodeScalars.count, other.unicodeScalars.count) * 2
    }

    /// The similarity of two titles, from 0 to 1, based on common words and letter pairs, so inflected forms and misspellings still count.
    static func similarity(_ one: [String], _ other: [String]) -> Double {
        guard !one.isEmpty, !other.isEmpty else { return 0 }
        if one == other { return 1 }
        let pairs = overlap(letterPairs(one), letterPairs(other))
        return one.count == 1 && other.count == 1 ? pairs : (pairs + overlap(one, other)) / 2
    }

    /// The Dice coefficient of two multisets.
    private static func overlap<Element: Comparable>(_ one: [Element], _ other: [Element]) -> Double {
        let (ours, theirs) = (one.sorted(), other.sorted())
        var (i, j, common) = (0, 0, 0)
        while i < ours.count, j < theirs.count {
            if ours[i] == theirs[j] {
                (i, j, common) = (i + 1, j + 1, common + 1)
            } else if ours[i] < theirs[j] {
                i += 1
            } else {
                j += 1
            }
        }
        return 2 * Double(common) / Double(ours.count + theirs.count)
    }

    /// Pairs of adjacent letters in the joined words, each pair as one number; a single letter forms a pair of its own.
    private static func letterPairs(_ words: [String]) -> [UInt64] {
        let letters = words.joined().unicodeScalars.map { UInt64($0.value) }
        return letters.count > 1 ? zip(letters, letters.dropFirst()).map { $0 << 32 | $1 } : letters
    }

    /// The words that only one of two titles has; words that differ by a misspelling count as common, unless one title has more than three words that
    /// the other lacks.
    static func difference(_ one: [String], _ other: [String]) -> (ours: [String], theirs: [String], slips: Int) {
        var (ours, theirs, slips) = ([String](), other, 0)
        for word in one {
            if let index = theirs.firstIndex(of: word) { theirs.remove(at: index) } else { ours.append(word) }
        }
        guard ours.count <= 3, theirs.count <= 3 else { return (ours, theirs, 0) }
        ours.removeAll { word in
            guard let index = theirs.firstIndex(where: { isSlip(word, $0) }) else { return false }
            theirs.remove(at: index)
            slips += 1
            return true
        }
        return (ours, theirs, slips)
    }

    /// Whether two words of at least five letters differ in at most one letter, or two of at least eight letters in at most two adjacent ones. Words
    /// with digits do not count.
    static func isSlip(_ one: String, _ other: String) -> Bool {
        isMisread(one, as: other) && isMisread(other, as: one)
    }

    /// Like ``isSlip(_:_:)``, but the misread form of the word may contain digits: "P0TTER" on a spine.
    static func isMisread(_ word: String, as read: String) -> Bool {
        let (ours, theirs) = (Array(word.unicodeScalars), Array(read.unicodeScalars))
        let shorter = min(ours.count, theirs.count)
        guard shorter >= 5, abs(ours.count - theirs.count) <= 1, !word.utf8.contains(where: { $0 < 0x3A }) else {
            return false
        }
        let start = zip(ours, theirs).prefix { $0 == $1 }.count
        let end = zip(ours.reversed(), theirs.reversed()).prefix { $0 == $1 }.count
        return max(ours.count, theirs.count) - min(start + end, shorter) <= (shorter >= 8 ? 2 : 1)
    }
}
