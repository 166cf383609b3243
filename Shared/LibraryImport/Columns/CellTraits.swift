import BookIdentifiers

/// The traits of a cell that a profile counts.
struct CellTraits {
    /// A kind that a cell might have; several are possible.
    enum Mark: Int, CaseIterable {
        case isbn13, isbn10, restoredISBN, roundedISBN, date, dateList, year, integer, quarter, fraction, stars,
            percentage
        case status, statusList, binding, language, flag, person, people, inverted, house, positions, seriesBracket
        case titleWords, text, long, lowerCase, address, openLibraryWork, openLibraryEdition, asin, volume,
            spreadsheetDay, numberWithUnit, yearInText
    }

    /// The cell without the wrapping added by applications and spreadsheets.
    let value: String
    let marks: [Mark]
    let number: Double?
    /// The date, or the first of several, in the form `20210403`; an unknown month or day is 00.
    let day: Int?
    let words: Int

    private init(_ value: String) {
        let shape = CellShape(value)
        self.value = value
        marks = Self.marks(of: shape)
        number = shape.number
        day = shape.date.map { ($0.year * 100 + ($0.month ?? 0)) * 100 + ($0.day ?? 0) }
        words = shape.words
    }

    private static func marks(of shape: CellShape) -> [Mark] {
        let found: [(Mark, Bool)] = [
            (.isbn13, shape.isbn == .isbn13), (.isbn10, shape.isbn == .isbn10), (.restoredISBN, shape.isRestoredISBN),
            (.roundedISBN, shape.isRoundedISBN), (.date, shape.date != nil && !shape.isDateList),
            (.dateList, shape.isDateList), (.year, shape.isYear), (.integer, shape.isInteger),
            (.quarter, shape.isQuarter), (.fraction, shape.number != nil && !shape.isQuarter),
            (.stars, shape.isStars), (.status, shape.isStatus), (.statusList, shape.hasStatus),
            (.binding, shape.isBinding), (.language, shape.isLanguage), (.flag, shape.isFlag),
            (.person, shape.isPerson), (.people, shape.isSurelyPeople), (.inverted, shape.isInverted),
            (.house, shape.isPublishingHouse), (.positions, shape.hasPosition),
            (.seriesBracket, shape.hasSeries), (.titleWords, shape.hasTitleWords), (.text, shape.isText),
            (.long, shape.length > 160), (.lowerCase, shape.startsLowerCase), (.address, shape.isAddress),
            (.openLibraryWork, shape.openLibrary == "W"), (.openLibraryEdition, shape.openLibrary == "M"),
            (.asin, shape.isASIN), (.volume, shape.isVolume), (.percentage, shape.isPercentage),
            (.spreadsheetDay, shape.isSpreadsheetDay), (.numberWithUnit, shape.isNumberWithUnit),
            (.yearInText, shape.isYearInText),
        ]
        return found.filter(\.1).map(\.0)
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
