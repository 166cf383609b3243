import BookIdentifiers

/// The traits of a cell that a profile counts.
struct CellTraits {
    /// The kinds that a cell might have; several are possible.
    struct Marks: OptionSet {
        let rawValue: UInt64

        static let isbn13 = Marks(rawValue: 1 << 0)
        static let isbn10 = Marks(rawValue: 1 << 1)
        static let restoredISBN = Marks(rawValue: 1 << 2)
        static let roundedISBN = Marks(rawValue: 1 << 3)
        static let date = Marks(rawValue: 1 << 4)
        static let dateList = Marks(rawValue: 1 << 5)
        static let year = Marks(rawValue: 1 << 6)
        static let integer = Marks(rawValue: 1 << 7)
        static let quarter = Marks(rawValue: 1 << 8)
        static let fraction = Marks(rawValue: 1 << 9)
        static let stars = Marks(rawValue: 1 << 10)
        static let status = Marks(rawValue: 1 << 11)
        static let statusList = Marks(rawValue: 1 << 12)
        static let binding = Marks(rawValue: 1 << 13)
        static let language = Marks(rawValue: 1 << 14)
        static let flag = Marks(rawValue: 1 << 15)
        static let person = Marks(rawValue: 1 << 16)
        static let people = Marks(rawValue: 1 << 17)
        static let inverted = Marks(rawValue: 1 << 18)
        static let house = Marks(rawValue: 1 << 19)
        static let wordList = Marks(rawValue: 1 << 20)
        static let positions = Marks(rawValue: 1 << 21)
        static let seriesBracket = Marks(rawValue: 1 << 22)
        static let titleWords = Marks(rawValue: 1 << 23)
        static let text = Marks(rawValue: 1 << 24)
        static let long = Marks(rawValue: 1 << 25)
        static let lowerCase = Marks(rawValue: 1 << 26)
        static let address = Marks(rawValue: 1 << 27)
        static let openLibraryWork = Marks(rawValue: 1 << 28)
        static let openLibraryEdition = Marks(rawValue: 1 << 29)
        static let asin = Marks(rawValue: 1 << 30)
        static let volume = Marks(rawValue: 1 << 31)
        static let percentage = Marks(rawValue: 1 << 32)
        static let spreadsheetDay = Marks(rawValue: 1 << 33)
    }

    /// The cell without the wrapping added by applications and spreadsheets.
    let value: String
    let marks: Marks
    let number: Double?
    /// The date, or the first of several, in the form `20210403`.
    let day: Int?
    /// Length in bytes.
    let length: Int
    let words: Int

    private init(_ value: String) {
        let shape = CellShape(value)
        self.value = value
        marks = Self.marks(of: shape)
        number = shape.number
        day = shape.date.map { ($0.year * 100 + ($0.month ?? 0)) * 100 + ($0.day ?? 0) }
        (length, words) = (shape.length, shape.words)
    }

    private static func marks(of shape: CellShape) -> Marks {
        let found: [(Marks, Bool)] = [
            (.isbn13, shape.isbn == .isbn13), (.isbn10, shape.isbn == .isbn10), (.restoredISBN, shape.isRestoredISBN),
            (.roundedISBN, shape.isRoundedISBN), (.date, shape.date != nil && !shape.isDateList),
            (.dateList, shape.isDateList), (.year, shape.isYear), (.integer, shape.isInteger),
            (.quarter, shape.isQuarter), (.fraction, shape.number != nil && !shape.isQuarter),
            (.stars, shape.isStars), (.status, shape.isStatus), (.statusList, shape.hasStatus),
            (.binding, shape.isBinding), (.language, shape.isLanguage), (.flag, shape.isFlag),
            (.person, shape.isPerson), (.people, shape.isSurelyPeople), (.inverted, shape.isInverted),
            (.house, shape.isPublishingHouse), (.wordList, shape.isWordList), (.positions, shape.hasPosition),
            (.seriesBracket, shape.hasSeries), (.titleWords, shape.hasTitleWords), (.text, shape.isText),
            (.long, shape.length > 160), (.lowerCase, shape.startsLowerCase), (.address, shape.isAddress),
            (.openLibraryWork, shape.openLibrary == "W"), (.openLibraryEdition, shape.openLibrary == "M"),
            (.asin, shape.isASIN), (.volume, shape.isVolume), (.percentage, shape.isPercentage),
            (.spreadsheetDay, shape.isSpreadsheetDay),
        ]
        var marks: Marks = []
        for (mark, isFound) in found where isFound { marks.insert(mark) }
        return marks
    }

    /// The traits of the cells in a table. Each distinct cell is judged once, because shelves, bindings and dates are repeated many times.
    struct Memory {
        private var known: [String: CellTraits?] = [:]

        /// The traits of a cell; nil for an empty cell or placeholder.
        mutating func traits(of cell: String) -> CellTraits? {
            if cell.isEmpty { return nil }
            if let traits = known[cell] { return traits }
            let value = CellText.value(cell)
            let traits = value.isEmpty ? nil : CellTraits(value)
            known[cell] = .some(traits)
            return traits
        }
    }
}
