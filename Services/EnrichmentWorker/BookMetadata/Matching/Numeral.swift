/// Reads numbers, so "Part II", "Part Two" and "pt. 2" compare as equal. Titles in a series often differ only in their numbers.
///
/// A number becomes a word of digits, and an adjacent volume word becomes one of `volume`, `book`, `part`, `issue` and `serial`.
enum Numeral {
    /// Letters that number volumes in Greek and Hebrew.
    private static let letters: [String: Int] = [
        "α": 1, "β": 2, "γ": 3, "δ": 4, "ε": 5, "στ": 6, "ζ": 7, "η": 8, "θ": 9, "ι": 10, "א": 1, "ב": 2, "ג": 3,
        "ד": 4,
        "ה": 5, "ו": 6, "ז": 7, "ח": 8, "ט": 9, "י": 10,
    ]

    /// Endings of ordinals written in digits: "2nd", "1er", "3ème".
    private static let suffixes: Set<String> = [
        "st", "nd", "rd", "th", "er", "re", "e", "eme", "ter", "te", "o", "a", "и", "я",
    ]

    /// Nouns after a number that does not count volumes: "25th Anniversary".
    private static let numberedNouns: Set<String> = [
        "edition", "anniversary", "ed", "printing", "auflage", "издание", "century",
    ]

    /// Whether the word is one of `volume`, `book`, `part`, `issue` and `serial`.
    static func isVolumeWord(_ word: String) -> Bool { NumberWord.volumeNames.contains(word) }

    /// Whether the word is an ordinal: "second".
    static func isOrdinal(_ word: String) -> Bool {
        if case .ordinal = NumberWord(word) { true } else { false }
    }

    /// Whether a word is a number in digits.
    static func isNumber(_ word: String) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// Whether a number may count the volumes of a series; numbers from 130 on are years or quantities.
    static func mayCountVolumes(_ number: String) -> Bool { number.utf8.count <= 2 || (Int(number) ?? 1000) < 130 }

    /// Folded words with numbers in digits.
    static func reading(_ words: [String]) -> [String] {
        guard words.contains(where: mayBeNumber) else { return words }
        let words = words.flatMap(separated).enumerated().map { index, word in
            // "1st to Die" is "First to Die"; but at the end of a title, "1st" is a number.
            index + 1 < words.count ? NumberWord.writtenOrdinals[word] ?? word : word
        }
        var read: [String] = []
        var index = 0
        while index < words.count {
            let (word, next) = reading(words, at: index, after: read)
            if isNumber(word), read.last == "the", read.count > 1 {
                // "Book the Second", "Henry the Eighth".
                let isLastOrdinal = next == words.count && (isOrdinal(words[index]) || !isNumber(words[index]))
                if isVolumeWord(read[read.count - 2]) || isLastOrdinal { read.removeLast() }
            }
            read.append(word)
            index = next
        }
        return read
    }

    private static func mayBeNumber(_ word: String) -> Bool {
        guard let first = word.utf8.first else { return false }
        if first < 0x3A || first >= 0xE1 { return true }
        return NumberWord(word) != nil || roman(word) != nil || word.utf8.last.map { $0 < 0x3A } == true
    }

    /// The interpretation of the word at an index, and the index of the next word.
    private static func reading(_ words: [String], at index: Int, after read: [String]) -> (String, Int) {
        let word = words[index]
        if let number = digits(word) {
            // The thousands of "20,000".
            let isThousand = index + 1 < words.count && words[index + 1] == "000" && number.utf8.count <= 3
            return isThousand ? (number + "000", index + 2) : (number, index + 1)
        }
        let isCounted = followsVolumeWord(read) || precedesVolumeWord(words, index)
        let isLast = index == words.count - 1 && index > 0 && read.last != "and"
        // "El ocho" is the same title as "Ocho, El", in which the word is not at the end.
        let isAtEnd = isLast && !(read.count == 1 && read.last.map(TitleWords.isFiller) == true)
        if let number = roman(word), number.letters > 1 || followsVolumeWord(read) || isLast {
            return (String(number.value), index + 1)
        }
        if let number = letters[word], followsVolumeWord(read) { return (String(number), index + 1) }
        // "Henry the Eighth" is "Henry VIII".
        if case .ordinal(let value) = NumberWord(word), isLast, read.count > 1, read.last == "the" {
            return (String(value), index + 1)
        }
        switch NumberWord(word) {
        case .cardinal, .scale: return cardinal(words, at: index)
        case .foreign(let value) where isCounted || isAtEnd || words.count == 1: return (String(value), index + 1)
        case .ordinal(let value)
        where isCounted || (index + 1 < words.count && numberedNouns.contains(words[index + 1])):
            return (String(value), index + 1)
        // "The Band, #1" is a series of English books; a German "Band" (volume) has no article before its number.
        case .volume(let name) where isBesideNumber(words, index, read) && !(word == "band" && read.last == "the"):
            return (name, index + 1)
        default: return (word, index + 1)
        }
    }

    private static func followsVolumeWord(_ read: [String]) -> Bool {
        guard let last = read.last else { return false }
        if case .volume = NumberWord(last) { return true }
        guard last == "the", read.count > 1, case .volume = NumberWord(read[read.count - 2]) else { return false }
        return true
    }

    private static func precedesVolumeWord(_ words: [String], _ index: Int) -> Bool {
        guard index + 1 < words.count, case .volume(let name) = NumberWord(words[index + 1]) else { return false }
        return name != "issue"
    }

    private static func isBesideNumber(_ words: [String], _ index: Int, _ read: [String]) -> Bool {
        if let last = read.last, isNumber(last) { return true }
        var next = index + 1
        if next + 1 < words.count, words[next] == "the" { next += 1 }
        guard next < words.count else { return false }
        if digits(words[next]) != nil || roman(words[next]) != nil || letters[words[next]] != nil { return true }
        switch NumberWord(words[next]) {
        case .cardinal, .foreign, .ordinal: return true
        default: return false
        }
    }

    /// The digits of a number without leading zeros: "2" for "02" and "2nd".
    private static func digits(_ word: String) -> String? {
        let number = word.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !number.isEmpty, let digits = String(number) else { return nil }
        guard number.count == word.utf8.count || suffixes.contains(String(word.dropFirst(digits.count))) else {
            return nil
        }
        let significant = digits.drop { $0 == "0" }
        return significant.isEmpty ? "0" : String(significant)
    }

    /// Reads Roman numerals up to 39. Larger ones are rare, and some of them, such as "mix" and "mi", are words.
    private static func roman(_ word: String) -> (value: Int, letters: Int)? {
        var (value, last) = (0, 100)
        for byte in word.utf8 {
            let digit: Int
            switch byte {
            case UInt8(ascii: "i"): digit = 1
            case UInt8(ascii: "v"): digit = 5
            case UInt8(ascii: "x"): digit = 10
            default: return nil
            }
            value += digit > last ? digit - 2 * last : digit
            last = digit
        }
        return value > 0 && value < 40 && word.utf8.count < 7 ? (value, word.utf8.count) : nil
    }

    /// Reads a number in words: "twenty one", "one hundred and one", or a year such as "nineteen eighty four".
    private static func cardinal(_ words: [String], at start: Int) -> (String, Int) {
        var (total, current, index) = (0, 0, start)
        loop: while index < words.count {
            switch NumberWord(words[index]) {
            case .cardinal(let value)
            where index == start || (current % 100 == 0) || (current % 10 == 0 && current % 100 >= 20 && value < 10):
                current += value
            case .cardinal(let value) where (10...20).contains(current) && value >= 10: current = current * 100 + value
            // "Twenty-Fifth Anniversary"
            case .ordinal(let value)
            where index > start && current % 10 == 0 && (20...90).contains(current) && value < 10
                && index + 1 < words.count && numberedNouns.contains(words[index + 1]):
                current += value
            // "Hundred hundred hundred" is not a number, and would overflow.
            case .scale(let scale) where current < 1000 && (index == start || current > 0 || scale == 1000):
                current = max(1, current) * scale
                if scale == 1000 { (total, current) = (total + current, 0) }
            default:
                guard words[index] == "and", index > start, case .scale = NumberWord(words[index - 1]),
                    index + 1 < words.count,
                    case .cardinal = NumberWord(words[index + 1])
                else { break loop }
            }
            index += 1
        }
        return (String(total + current), index)
    }

    private static let counters: Set<Character> = ["巻", "卷", "冊", "册", "部", "集", "話", "编", "編", "章", "권", "부", "제"]
    private static let han: [Character: Int] = [
        "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "上": 1, "下": 2,
    ]
    /// Values of the digits before 十.
    private static let hanTens: [Character: Int] = [
        "二": 20, "三": 30, "四": 40, "五": 50, "六": 60, "七": 70, "八": 80, "九": 90,
    ]

    /// The parts of "book2", and of words that are written together in scripts without spaces: "三体2", "挪威的森林第二巻".
    private static func separated(_ word: String) -> [String] {
        guard let first = word.utf8.first else { return [] }
        if first < 0x3A {
            // "2巻", "제1권"
            let counted = word.drop { $0.isASCII && $0.isNumber }
            let isCounted = !counted.isEmpty && counted.allSatisfy(counters.contains)
            return isCounted ? [String(word[..<counted.startIndex])] : [word]
        }
        // Scripts before Hangul, which folding splits into its letters (U+1100 and later).
        if first < 0xE1 {
            let letters = word.prefix { !$0.isASCII || !$0.isNumber }
            guard letters.endIndex < word.endIndex, case .volume = NumberWord(String(letters)) else { return [word] }
            return [String(letters), String(word[letters.endIndex...])]
        }
        var parts: [String] = []
        var rest = word[...]
        while let character = rest.first {
            let part = rest.prefix { $0.isASCII == character.isASCII }
            rest = rest[part.endIndex...]
            parts += character.isASCII ? [String(part)] : countedEnd(part)
        }
        return parts.filter { $0.count > 1 || (!counters.contains(Character($0)) && $0 != "第") }
    }

    /// Separates 第二巻, 二十二巻 and 上巻 from the text before them. Without a counter such as 巻 after it, a character such as 二 or 上 is a number only if
    /// there is no other text.
    private static func countedEnd(_ text: Substring) -> [String] {
        if text.count == 1, let number = han[text[text.startIndex]] { return [String(number)] }
        guard text.count > 1, let last = text.last else { return [String(text)] }
        guard counters.contains(last) else { return text.hasSuffix("第") ? [String(text.dropLast())] : [String(text)] }
        let counted = text.dropLast()
        guard let digit = counted.last.flatMap({ han[$0] }) else { return [String(text)] }
        var before = counted.dropLast()
        var value = digit
        if before.last == "十" {
            before = before.dropLast()
            value += 10
        }
        // 二十巻 and 二十二巻
        if value >= 10, let tens = before.last.flatMap({ hanTens[$0] }) {
            before = before.dropLast()
            value += tens - 10
        }
        if before.last == "第" { before = before.dropLast() }
        return before.isEmpty ? [String(value)] : [String(before), String(value)]
    }
}
