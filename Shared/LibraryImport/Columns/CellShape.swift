import BookIdentifiers
import BookstrackContract

/// The possible kinds of a cell, judged by the cell alone.
struct CellShape {
    let isbn: ISBNForm?
    /// Whether the cell is an ISBN-10 only after leading zeros are added. By chance, this is true of one in eleven other numbers.
    let isRestoredISBN: Bool
    let isRoundedISBN: Bool
    /// The date, or the first of several; nil for a single year.
    let date: CellDate?
    let isDateList: Bool
    let number: Double?
    let length: Int
    let words: Int
    /// Whether the cell looks like one or more names, judged by the first one: two to five words, of which the first and the last do not begin with a
    /// lowercase letter. The whole cell must have no words typical of titles, and no marks other than those in names.
    let isPerson: Bool
    private let value: String
    private let folded: String
    private let foldedWords: [Substring]

    init(_ value: String) {
        self.value = value
        folded = value.utf8.count <= 200 ? FoldedText.fold(value) : ""
        length = value.utf8.count
        words = folded.isEmpty ? value.utf8.count / 6 : folded.utf8.count { $0 == UInt8(ascii: " ") } + 1
        (isbn, isRestoredISBN, isRoundedISBN) = Self.isbn(value)
        number = value.utf8.count <= 12 && isbn == nil ? CellRating.plainNumber(value) : nil
        (date, isDateList) = isbn == nil && (number == nil || length == 8) ? Self.date(value) : (nil, false)
        foldedWords = folded.split(separator: " ")
        isPerson = number == nil && isbn == nil && Self.isPerson(value, foldedWords)
    }

    /// The ISBN form of a cell. A thirteen-digit number with an ISBN's prefix counts even if its check digit is wrong.
    private static func isbn(_ value: String) -> (ISBNForm?, isRestored: Bool, isRounded: Bool) {
        let text = value.hasSuffix(".0") ? String(value.dropLast(2)) : value
        do throws(ISBNError) {
            let parsed = try ISBN.parse(text)
            return (parsed.form, parsed.repair != nil, false)
        } catch {
            if error == .scientificNotation { return (nil, false, text.hasPrefix("9")) }
            if error == .wrongCheckDigit, text.utf8.count(where: \.isASCIIDigit) == 13 {
                return (.isbn13, false, false)
            }
            // Several numbers of one book: `0596101996, 9780596101992`.
            guard text.utf8.allSatisfy({ $0.isASCIIDigit || ",;-xX ".utf8.contains($0) }) else {
                return (nil, false, false)
            }
            return (CellISBN(text).isbn == nil ? nil : .isbn13, false, false)
        }
    }

    private static func date(_ value: String) -> (CellDate?, isList: Bool) {
        guard value.utf8.count < 400, value.utf8.contains(where: \.isASCIIDigit) else {
            return (nil, false)
        }
        if case .date(let date) = CellDate.read(value, order: .dayFirst) {
            return (date.month == nil ? nil : date, false)
        }
        guard let first = value.utf8.first, first.isASCIIDigit || first == UInt8(ascii: "|") else {
            return (nil, false)
        }
        let list = ReadingList.read(value, order: .dayFirst)
        guard !list.hasUnreadable, let day = list.readings.first.flatMap({ $0.end ?? $0.start }) else {
            return (nil, false)
        }
        return (CellDate(day, order: nil), true)
    }

    /// Whether the cell may be a date as stored by spreadsheets, such as `43831`. Ordinary five-digit numbers look the same.
    var isSpreadsheetDay: Bool { length == 5 && isInteger && CellDate(value, order: nil) != nil }

    /// Whether the cell is a number with no fraction or a zero fraction.
    var isInteger: Bool { number.map { $0 == $0.rounded() } ?? false }
    /// Whether the cell is a multiple of a quarter.
    var isQuarter: Bool { number.map { ($0 * 4) == ($0 * 4).rounded() } ?? false }
    /// Whether the cell is a text that starts with a number, such as `474 pages`.
    var isNumberWithUnit: Bool { isShortText && CellNumber.count(value) != nil }
    /// Whether the cell is a text that contains a year, such as `c1990`.
    var isYearInText: Bool { isShortText && CellNumber.year(value) != nil }
    private var isShortText: Bool { number == nil && isbn == nil && date == nil && length <= 60 }
    var isYear: Bool {
        isInteger && number.map { (1_400...2_100).contains($0) || (-1_000 ..< -1).contains($0) } ?? false
    }
    var isStars: Bool { !value.hasSuffix("%") && isRatingWithScale }
    var isPercentage: Bool { value.hasSuffix("%") && isRatingWithScale }
    private var isRatingWithScale: Bool {
        guard number == nil, length <= 40, value.utf8.contains(where: Self.isOfRatings),
            case .rating = CellRating.read(value, scale: 5)
        else { return false }
        return true
    }
    /// Whether a byte is a digit, `*`, or part of a character outside ASCII, such as a star; every rating contains at least one of these.
    private static func isOfRatings(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || byte == UInt8(ascii: "*") || byte >= 0x80
    }
    var isStatus: Bool { StatusWords.status(value) != nil || StatusWords.dated(value, order: .dayFirst) != nil }
    /// Whether the cell is a comma-separated list that contains a status.
    var hasStatus: Bool {
        value.utf8.contains(UInt8(ascii: ",")) && WordList.words(value).contains { StatusWords.status($0) != nil }
    }
    var isBinding: Bool { words <= 4 && number == nil && BindingWords.format(value) != nil }
    var isLanguage: Bool { LanguageWords.isLanguage(value) }
    var isFlag: Bool { CellNumber.flag(value) != nil }
    var isText: Bool {
        number == nil && isbn == nil && folded.unicodeScalars.contains { $0.properties.isAlphabetic } || folded.isEmpty
    }
    /// Whether the cell is a URL, or a long identifier without spaces.
    var isAddress: Bool {
        if value.hasPrefix("http://") || value.hasPrefix("https://") || value.hasPrefix("www.") { return true }
        return length >= 16 && value.utf8.allSatisfy { (0x21..<0x7F).contains($0) } && value.contains { $0.isNumber }
    }
    var hasPosition: Bool {
        value.hasSuffix(")") && value.firstRange(of: " (#") != nil
            && SeriesNotation.split(title: value).title == WordList.words(value).first
    }
    var hasSeries: Bool { value.hasSuffix(")") && SeriesNotation.split(title: value).series != nil }
    var startsLowerCase: Bool { value.unicodeScalars.first.map { $0.properties.isLowercase } ?? false }

    /// See ``CellIdentifier/openLibrary(_:)``.
    var openLibrary: Character? { CellIdentifier.openLibrary(value) }

    /// Whether the cell is an ASIN with a digit; without one, it may be a word in capitals.
    var isASIN: Bool { CellIdentifier.isASIN(value) && value.utf8.contains(where: \.isASCIIDigit) }

    /// Whether the cell looks like a Google Books volume identifier: twelve ASCII letters, digits, hyphens and underscores, including an uppercase
    /// letter and a lowercase letter or digit.
    var isVolume: Bool {
        length == 12 && isbn == nil && number == nil
            && value.utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter || "-_".utf8.contains($0) }
            && value.contains { $0.isUppercase } && value.contains { $0.isLowercase || $0.isNumber }
    }

    // MARK: People and titles

    /// Words that occur in titles; few of them occur in names.
    private static let wordsOfTitles: Set<Substring> = [
        "the", "and", "of", "a", "an", "in", "to", "for", "with", "how", "my", "your", "on", "from", "is", "what",
        "why", "das", "der",
        "die", "und", "ein", "eine", "für", "mit", "le", "les", "et", "un", "une", "dans", "sur", "el", "los", "las",
        "una", "il", "gli",
        "het", "een", "w", "na", "и", "в", "на", "book", "story", "novel", "life", "guide", "history", "world", "art",
    ]
    /// Words that occur in the names of publishers.
    private static let wordsOfHouses: Set<Substring> = [
        "press", "books", "publishing", "publishers", "publications", "verlag", "editions", "éditions", "edition",
        "edizioni", "editorial",
        "ediciones", "house", "group", "media", "inc", "ltd", "llc", "company", "co", "sons", "university", "penguin",
        "harpercollins",
        "vintage", "издательство", "wydawnictwo", "förlag", "uitgeverij", "comics", "audio", "classics",
    ]

    /// Whether the cell contains a word or a mark typical of titles, or a digit. False for ISBNs, numbers and names.
    var hasTitleWords: Bool {
        if isbn != nil || number != nil || isPerson { return false }
        return value.contains(":") || value.contains("?") || value.contains("!") || value.contains { $0.isNumber }
            || foldedWords.contains { Self.wordsOfTitles.contains($0) }
    }

    var isPublishingHouse: Bool { foldedWords.contains { Self.wordsOfHouses.contains($0) } }

    /// Whether the cell is a name such as `Verne, Jules` or `Verne, Jules, 1828-1905`: a comma between a family name and given names.
    var isInverted: Bool {
        let parts = value.split(separator: ",").filter { !AuthorNames.isLifeDates($0) }
        return parts.count == 2 && !parts.joined().contains { $0.isNumber } && length <= 60
            && AuthorNames.isInverted(parts[0], parts[1])
            && parts.allSatisfy { $0.trimmed.first?.isLowercase == false }
    }

    /// Marks that occur in names alongside letters.
    private static let marksOfNames: Set<Character> = ["(", ")", ".", ",", "'", "’", "‘", "-", "&", ";", "|", "/", " "]

    private static func isPerson(_ value: String, _ foldedWords: [Substring]) -> Bool {
        guard value.utf8.count <= 160, !foldedWords.contains(where: standsInNoName) else { return false }
        guard
            value.allSatisfy({
                $0.isLetter || marksOfNames.contains($0) || $0.unicodeScalars.allSatisfy(\.isJoiner)
            })
        else {
            return false
        }
        return people(of: value).first.map(isName) ?? false
    }

    /// Whether the cell is several names, or a name with an initial, which is unusual for a title.
    var isSurelyPeople: Bool {
        guard isPerson else { return false }
        let hasInitial = value.split(separator: " ").contains {
            $0.count <= 4 && $0.last == "." && $0.first?.isUppercase == true
        }
        if hasInitial { return true }
        let people = Self.people(of: value)
        return people.count > 1 && people.allSatisfy(Self.isName)
    }

    private static func people(of value: String) -> [Substring] {
        value.split { $0 == "," || $0 == "&" || $0 == ";" || $0 == "|" || $0 == "(" }.map(\.trimmed)
    }

    private static func isName(_ text: Substring) -> Bool {
        let words = text.split(separator: " ")
        return (2...5).contains(words.count) && text.utf8.count <= 60 && words.first?.first?.isLowercase == false
            && words.last?.first?.isLowercase == false
    }

    private static func standsInNoName(_ word: Substring) -> Bool {
        wordsOfTitles.contains(word) && !["a", "le", "el", "der", "и"].contains(word)
    }
}

extension Unicode.Scalar {
    /// Whether this is an invisible mark inside words, as in Persian names.
    fileprivate var isJoiner: Bool { properties.generalCategory == .format }
}
