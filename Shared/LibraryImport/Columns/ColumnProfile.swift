import BookIdentifiers

/// A profile of one column's cells: shares of its non-empty cells.
package struct ColumnProfile: Sendable {
    /// Number of rows read.
    package private(set) var rows = 0
    /// Cells that are not empty.
    package private(set) var filled = 0
    /// Number of different cells.
    package private(set) var distinct = 0

    private(set) var isbn13 = 0.0
    private(set) var isbn10 = 0.0
    private(set) var roundedISBN = 0.0
    private(set) var date = 0.0
    private(set) var dateList = 0.0
    private(set) var year = 0.0
    private(set) var integer = 0.0
    private(set) var quarter = 0.0
    private(set) var fraction = 0.0
    private(set) var stars = 0.0
    private(set) var status = 0.0
    private(set) var statusList = 0.0
    private(set) var binding = 0.0
    private(set) var language = 0.0
    private(set) var flag = 0.0
    private(set) var person = 0.0
    private(set) var inverted = 0.0
    private(set) var house = 0.0
    private(set) var wordList = 0.0
    private(set) var positions = 0.0
    private(set) var seriesBracket = 0.0
    private(set) var titleWords = 0.0
    private(set) var text = 0.0
    private(set) var long = 0.0
    private(set) var lowerCase = 0.0
    private(set) var address = 0.0
    private(set) var openLibraryWork = 0.0
    private(set) var openLibraryEdition = 0.0
    private(set) var asin = 0.0
    private(set) var volume = 0.0
    /// Mean of the cells that are whole numbers.
    private(set) var mean = 0.0
    /// Highest of the cells that are numbers.
    private(set) var highest = 0.0
    private(set) var people = 0.0
    /// Days as `20210403`, by row; nil if the cell is not a date.
    private(set) var days: [Int?] = []
    /// Years by row; nil if the cell is not a year.
    private(set) var years: [Int?] = []
    /// Share of the whole numbers that are the one before plus or minus 1.
    private(set) var running = 0.0
    private(set) var meanLength = 0.0
    private(set) var meanWords = 0.0

    /// Share of the rows that have a cell.
    package var fill: Double { rows == 0 ? 0 : Double(filled) / Double(rows) }
    /// Share of different cells.
    package var variety: Double { filled == 0 ? 0 : Double(distinct) / Double(filled) }

    package init(cells: some Sequence<String>) {
        var seen: Set<String> = []
        var sum = 0.0
        var integers = 0
        var previous: Double?
        var restored = 0.0
        for cell in cells {
            rows += 1
            let value = CellText.value(cell)
            guard !value.isEmpty else {
                days.append(nil)
                years.append(nil)
                continue
            }
            filled += 1
            seen.insert(value)
            let shape = CellShape(value)
            take(shape)
            if shape.isRestoredISBN { restored += 1 }
            if let number = shape.number {
                highest = max(highest, number)
                if shape.isInteger {
                    sum += number
                    integers += 1
                    if let previous, abs(number - previous) == 1 { running += 1 }
                    previous = number
                }
            }
        }
        distinct = seen.count
        mean = integers == 0 ? 0 : sum / Double(integers)
        running = integers < 3 ? 0 : running / Double(integers - 1)
        guard filled > 0 else { return }
        // Numbers that only become ISBNs with zeros before them may be any numbers: they count only next to other
        // ISBNs, or if there are many.
        if isbn10 == restored, filled < 8 || restored < 0.6 * Double(filled) { isbn10 = 0 }
        for share in Self.shares { self[keyPath: share] /= Double(filled) }
    }

    private static var shares: [WritableKeyPath<ColumnProfile, Double>] {
        [
            \.isbn13, \.isbn10, \.roundedISBN, \.date, \.dateList, \.year, \.integer, \.quarter, \.fraction, \.stars,
            \.status,
            \.statusList, \.binding, \.language, \.flag, \.person, \.people, \.inverted, \.house, \.wordList,
            \.positions,
            \.seriesBracket,
            \.titleWords, \.text, \.long, \.lowerCase, \.address, \.openLibraryWork, \.openLibraryEdition, \.asin,
            \.volume,
            \.meanLength, \.meanWords,
        ]
    }

    private mutating func take(_ shape: CellShape) {
        func one(_ condition: Bool) -> Double { condition ? 1 : 0 }
        isbn13 += one(shape.isbn == .isbn13)
        isbn10 += one(shape.isbn == .isbn10)
        roundedISBN += one(shape.isRoundedISBN)
        date += one(shape.date != nil && !shape.isDateList)
        dateList += one(shape.isDateList)
        year += one(shape.isYear)
        integer += one(shape.isInteger)
        quarter += one(shape.isQuarter)
        fraction += one(shape.number != nil && !shape.isQuarter)
        stars += one(shape.isStars)
        status += one(shape.isStatus)
        statusList += one(shape.hasStatus)
        binding += one(shape.isBinding)
        language += one(shape.isLanguage)
        flag += one(shape.isFlag)
        person += one(shape.isPerson)
        people += one(shape.isSurelyPeople)
        days.append(shape.date.map { ($0.year * 100 + ($0.month ?? 0)) * 100 + ($0.day ?? 0) })
        years.append(shape.isYear ? shape.number.map { Int($0) } : nil)
        inverted += one(shape.isInverted)
        house += one(shape.isPublishingHouse)
        wordList += one(shape.isWordList)
        positions += one(shape.hasPosition)
        seriesBracket += one(shape.hasSeries)
        titleWords += one(shape.hasTitleWords)
        text += one(shape.isText)
        long += one(shape.length > 160)
        lowerCase += one(shape.startsLowerCase)
        address += one(shape.isAddress)
        openLibraryWork += one(shape.openLibrary == "W")
        openLibraryEdition += one(shape.openLibrary == "M")
        asin += one(shape.isASIN)
        volume += one(shape.isVolume)
        meanLength += Double(shape.length)
        meanWords += Double(shape.words)
    }
}
