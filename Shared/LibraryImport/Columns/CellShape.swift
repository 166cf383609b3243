import BookIdentifiers

/// What one cell could be, judged alone.
struct CellShape {
    let isbn: ISBNForm?
    let isRoundedISBN: Bool
    let number: Double?
    let length: Int
    let words: Int
    private let value: String
    private let folded: String

    init(_ value: String) {
        self.value = value
        folded = value.utf8.count <= 200 ? FoldedText.fold(value) : ""
        length = value.utf8.count
        words = folded.isEmpty ? value.utf8.count / 6 : folded.utf8.count { $0 == UInt8(ascii: " ") } + 1
        var text = value
        if text.hasSuffix(".0") { text.removeLast(2) }
        do throws(ISBNError) {
            let parsed = try ISBN.parse(text)
            isbn = parsed.repair == .sbn ? nil : parsed.form
            isRoundedISBN = false
        } catch {
            isbn = CellISBN(text).isbn == nil ? nil : .isbn13
            isRoundedISBN = error == .scientificNotation && value.hasPrefix("9")
        }
        number = value.utf8.count <= 12 && isbn == nil ? CellRating.plainNumber(value) : nil
    }

    /// A number without a fraction, or with an empty one.
    var isInteger: Bool { number.map { $0 == $0.rounded() } ?? false }
    /// A number in quarters.
    var isQuarter: Bool { number.map { ($0 * 4) == ($0 * 4).rounded() } ?? false }
    var isYear: Bool {
        isInteger && number.map { (1_400...2_100).contains($0) || (-1_000 ..< -1).contains($0) } ?? false
    }
    var isDate: Bool {
        guard number == nil || length == 8, isbn == nil else { return false }
        switch CellDate.read(value, order: .dayFirst) {
        case .date(let date): return date.month != nil
        default: return false
        }
    }
    var isDateList: Bool {
        guard length > 10, length < 400, isbn == nil, !isDate, let first = value.utf8.first,
            CellNumber.digit(first) != nil || first == 0x7C
        else { return false }
        let list = ReadingList.read(value, order: .dayFirst)
        return !list.hasUnreadable && !list.readings.isEmpty
    }
    var isStars: Bool {
        guard number == nil, length <= 40, case .rating = CellRating.read(value, scale: 5) else { return false }
        return true
    }
    var isStatus: Bool { StatusWords.status(value) != nil }
    /// A list in which a word is a status.
    var hasStatus: Bool {
        value.utf8.contains(UInt8(ascii: ",")) && WordList.words(value).contains { StatusWords.status($0) != nil }
    }
    var isBinding: Bool { words <= 4 && number == nil && BindingWords.format(value) != nil }
    var isLanguage: Bool { LanguageWords.isLanguage(value) }
    var isFlag: Bool { CellNumber.flag(value) != nil }
    var isText: Bool {
        number == nil && isbn == nil && folded.unicodeScalars.contains { $0.properties.isAlphabetic } || folded.isEmpty
    }
    var isAddress: Bool { value.hasPrefix("http://") || value.hasPrefix("https://") || value.hasPrefix("www.") }
    var hasPosition: Bool {
        value.hasSuffix(")") && value.firstRange(of: " (#") != nil
            && SeriesNotation.split(title: value).title == WordList.words(value).first
    }
    var hasSeries: Bool { value.hasSuffix(")") && SeriesNotation.split(title: value).series != nil }
    var startsLowerCase: Bool { value.unicodeScalars.first.map { $0.properties.isLowercase } ?? false }

    /// `OL45804W` ends with W, `OL7353617M` with M.
    var openLibrary: Character? {
        guard value.hasPrefix("OL"), length < 16, let last = value.last, last == "W" || last == "M",
            value.utf8.dropFirst(2).dropLast().allSatisfy({ CellNumber.digit($0) != nil })
        else { return nil }
        return last
    }

    var isASIN: Bool { length == 10 && value.hasPrefix("B") && isCapitalsAndDigits && value.contains { $0.isNumber } }
    private var isCapitalsAndDigits: Bool {
        value.utf8.allSatisfy { CellNumber.digit($0) != nil || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// Twelve letters, digits, `-` and `_` in both cases, as Google Books' volumes are named.
    var isVolume: Bool {
        length == 12 && isbn == nil && number == nil && !value.contains(" ")
            && value.utf8.allSatisfy {
                CellNumber.digit($0) != nil || $0 == 0x2D || $0 == 0x5F || (0x41...0x7A).contains($0)
            }
            && value.contains { $0.isUppercase } && value.contains { $0.isLowercase || $0.isNumber }
    }

    /// Several short words between commas or semicolons, as tags are written.
    var isWordList: Bool {
        let words = WordList.words(value)
        return words.count > 1 && length < 400 && words.allSatisfy { $0.utf8.count <= 40 && !$0.contains(". ") }
    }

    // MARK: People and titles

    /// Words that stand in titles and in no name.
    private static let wordsOfTitles: Set<Substring> = [
        "the", "and", "of", "a", "an", "in", "to", "for", "with", "how", "my", "your", "on", "from", "is", "what",
        "why", "das", "der",
        "die", "und", "ein", "eine", "für", "mit", "le", "les", "et", "un", "une", "dans", "sur", "el", "los", "las",
        "una", "il", "gli",
        "het", "een", "w", "na", "и", "в", "на", "book", "story", "novel", "life", "guide", "history", "world", "art",
    ]
    /// Words that stand in the names of publishers.
    private static let wordsOfHouses: Set<Substring> = [
        "press", "books", "publishing", "publishers", "publications", "verlag", "editions", "éditions", "edition",
        "edizioni", "editorial",
        "ediciones", "house", "group", "media", "inc", "ltd", "llc", "company", "co", "sons", "university", "penguin",
        "harpercollins",
        "vintage", "издательство", "wydawnictwo", "förlag", "uitgeverij", "comics", "audio", "classics",
    ]

    private var foldedWords: [Substring] { folded.split(separator: " ") }

    /// A word of a title, or marks that stand in titles only.
    var hasTitleWords: Bool {
        if isbn != nil || number != nil { return false }
        return value.contains(":") || value.contains("?") || value.contains("!") || value.contains { $0.isNumber }
            || foldedWords.contains { Self.wordsOfTitles.contains($0) }
    }

    var isPublishingHouse: Bool { foldedWords.contains { Self.wordsOfHouses.contains($0) } }

    /// `Verne, Jules`: one comma between a family name and given names.
    var isInverted: Bool {
        let parts = value.split(separator: ",")
        return parts.count == 2 && !value.contains { $0.isNumber } && length <= 60
            && AuthorNames.isInverted(parts[0], parts[1])
            && parts.allSatisfy { $0.trimmed.first?.isLowercase == false }
    }

    /// Two to four words, each with a capital or from a script without case, and no other marks than those of names.
    var isPerson: Bool {
        guard number == nil, isbn == nil, length <= 160 else { return false }
        let first =
            value.split { $0 == "," || $0 == "&" || $0 == ";" || $0 == "|" || $0 == "(" }.first.map(\.trimmed) ?? ""
        let words = first.split(separator: " ")
        guard (2...5).contains(words.count), first.utf8.count <= 60 else { return false }
        let marks = "().,'’-&;|/ ‘"
        guard
            value.allSatisfy({
                $0.isLetter || marks.contains($0)
                    || $0.unicodeScalars.allSatisfy { $0.properties.generalCategory == .format }
            })
        else { return false }
        guard
            !foldedWords.contains(where: {
                Self.wordsOfTitles.contains($0) && $0 != "a" && $0 != "le" && $0 != "el" && $0 != "der"
            })
        else { return false }
        return words.first?.first?.isLowercase == false && words.last?.first?.isLowercase == false
    }
}
