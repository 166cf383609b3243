import BookstrackContract

/// How well a column's header and cells fit a role, as log-odds: 0 means even odds, 3 means 95 %.
struct ColumnEvidence {
    /// The log-odds of an impossible role.
    static let never = -20.0

    let index: Int
    let foldedHeader: String
    /// Whether the header is that of a flag column (``HeaderVocabulary/isReadFlag(_:)``).
    let isReadFlag: Bool
    let profile: ColumnProfile
    /// The roles that the header names. If there is a guess, it takes their place and counts as a likely role.
    private let named: [ColumnRole: HeaderVocabulary.Weight]
    /// The role suggested by a model, unless the header certainly names one.
    let guess: ColumnRole?

    init(index: Int, header: String, profile: ColumnProfile, guess: ColumnRole? = nil) {
        self.index = index
        foldedHeader = FoldedText.fold(header)
        isReadFlag = HeaderVocabulary.isReadFlag(header)
        self.profile = profile
        // Years under a header such as `Read` indicate when, not whether, a book was read.
        let isYearOfReading = isReadFlag && profile[.year] > 0 && profile[.year] + profile[.date] > 0.5
        let named = isYearOfReading ? [.dateRead: .sure] : HeaderVocabulary.roles(header)
        self.guess = named.values.contains(.sure) ? nil : guess
        self.named = self.guess.map { [$0: .likely] } ?? named
    }

    /// Whether the header names a role that is at least likely.
    private var hasNamedRole: Bool { named.values.contains { $0 >= .likely } }

    /// Whether the header itself, rather than a model, names the title or the authors.
    var namesTitleOrAuthor: Bool {
        guess == nil && [ColumnRole.title, .author, .authors].contains { named[$0] ?? .hint >= .likely }
    }

    /// Whether the header certainly names the date added.
    var namesDateAdded: Bool { named[.dateAdded] == .sure }

    /// Whether the header names a property that few things other than books have.
    var namesBookRole: Bool { named.contains { $0.value >= .likely && !Self.rolesOfAnything.contains($0.key) } }

    /// Roles that also occur in lists of things other than books.
    private static let rolesOfAnything: Set<ColumnRole> = [
        .title, .tags, .notes, .dateAdded, .owned, .position, .mediaType, .ignore,
    ]

    /// Whether the header, or the model's suggestion in its place, names the role.
    func isNamed(_ role: ColumnRole) -> Bool { named[role] != nil }

    /// The log-odds of a role, based on both the header and the cells.
    func logOdds(_ role: ColumnRole, among others: ColumnNeighbors) -> Double {
        let header = named[role]?.logOdds ?? otherHeader
        guard profile.filled > 0 else { return named[role] == nil ? Self.never : header }
        if let content = content(role, others) { return header + content }
        return named[role] == nil ? Self.never : header + compatibility(role)
    }

    /// The header's log-odds for roles that it does not name.
    private var otherHeader: Double {
        if named.values.contains(.sure) { return -5 }
        if guess != nil { return -2 }
        return hasNamedRole ? -3 : 0
    }

    // MARK: Roles that cells alone can show

    /// Converts a fraction to log-odds: 0 becomes -`weight`, 1 becomes `weight`.
    private func odds(_ share: Double, _ weight: Double) -> Double { (share - 0.5) * 2 * weight }

    /// The log-odds from the cells; nil for a role that needs a header.
    private func content(_ role: ColumnRole, _ others: ColumnNeighbors) -> Double? {
        switch role {
        case .title: title(others)
        // A header that names the author is trusted if the cells are texts, even if they do not look like names.
        case .author: named[.author] == .sure && profile[.text] > 0.5 ? max(author(others), -4) : author(others)
        case .authors: authors(others)
        case .isbn:
            odds(min(1, profile[.isbn13] + profile[.isbn10] + profile[.roundedISBN]), 5) - (isMixedISBN ? 0 : 0.5)
        case .isbn13: odds(profile[.isbn13] + profile[.roundedISBN], 5)
        case .isbn10: odds(profile[.isbn10], 5)
        case .status: status
        case .format: odds(profile[.binding], 4) - 6 * profile[.address]
        // "No" is also the code of Norwegian, and "ja" that of Japanese.
        case .language: odds(profile[.language], 3.5) - (isNamed(.language) ? 0 : 6 * profile[.flag])
        case .rating: rating(others)
        case .dateRead, .dateStarted, .dateAdded, .publicationDate: dates(role, others)
        case .publicationYear, .originalYear:
            years(role) + (others.yearRoles[index] == role ? 1 : -6) - doubt(role, others)
        case .pageCount: pages
        case .openLibraryWork: odds(profile[.openLibraryWork], 6)
        case .openLibraryEdition: odds(profile[.openLibraryEdition], 6)
        case .asin: odds(profile[.asin], 5)
        case .googleVolumeId: odds(profile[.volume], 4)
        default: nil
        }
    }

    private var isMixedISBN: Bool { profile[.isbn13] > 0.05 && profile[.isbn10] > 0.05 }

    /// The penalty for a year or date whose role only the cells suggest (``isUnknown(_:_:)``).
    private func doubt(_ role: ColumnRole, _ others: ColumnNeighbors) -> Double { isUnknown(role, others) ? 8 : 0 }

    /// Whether only the cells suggest a role although the headers are in a known language. Such a role is doubtful, because small numbers, years and
    /// dates may mean anything, and people may be narrators, friends or owners.
    private func isUnknown(_ role: ColumnRole, _ others: ColumnNeighbors) -> Bool {
        !isNamed(role) && others.hasTitleHeader
    }

    private func title(_ others: ColumnNeighbors) -> Double {
        let odds = oddsOfTitles(others)
        // A header that names the title is trusted even if the titles are numbers or dates, or if many are missing. An ISBN is never a title.
        return named[.title] == .sure && profile[.isbn13] + profile[.isbn10] < 0.5 ? max(odds, -4) : odds
    }

    private func oddsOfTitles(_ others: ColumnNeighbors) -> Double {
        guard profile[.text] > 0.3 else { return -8 }
        // Single words are family names, codes, or words from a list.
        let isSingleWords =
            !isNamed(.title) && others.count > 1 && profile.meanWords < 1.3 && profile[.titleWords] < 0.1
        var odds = -0.5 + odds(profile[.text], 1.5) + odds(profile.variety, 2) + 3 * min(profile[.titleWords], 0.6)
        odds +=
            4 * min(profile[.seriesBracket], 0.5) - 8 * profile[.positions] - 4 * profile[.long]
            - 2.5 * profile[.lowerCase]
        odds -=
            4 * profile[.person] * (1 - profile[.titleWords]) + 6 * profile[.inverted] + 3 * profile[.house]
            * (1 - profile[.titleWords])
        odds -=
            6 * (profile[.binding] > 0.5 ? 1 : 0) + 6 * profile[.address] + 8 * max(profile[.status], profile[.date])
            + 3 * profile[.statusList]
        odds -= isSingleWords ? 4 : 0
        // The name of a thing that is not a book, as in a list of products and prices.
        let isNameOfAnything =
            others.count > 1 && !others.areAboutBooks && HeaderVocabulary.isGeneralName(foldedHeader)
            && profile[.titleWords] < 0.15
        odds -= isNameOfAnything ? 8 : 0
        odds -= 12 * max(0, 0.98 - profile.fill) + 6 * profile[.language] + 6 * max(profile[.asin], profile[.volume])
        return odds
    }

    /// Whether nearly all rows have a text that may be a title or an author: not a word from a list, such as a binding, and not a publisher.
    var mayBeTitlesOrAuthors: Bool {
        let isOther = max(
            profile[.binding], profile[.language], profile[.status], profile[.flag], profile[.address], profile[.date],
            profile[.house], profile[.lowerCase], profile[.long], profile[.positions])
        return profile[.text] > 0.9 && profile.fill > 0.9 && profile.variety > 0.5 && isOther < 0.3
    }

    private func author(_ others: ColumnNeighbors) -> Double {
        guard profile[.text] > 0.5 else { return -8 }
        var odds = odds(profile[.person], 3.5) - 8 * max(0, 0.95 - profile.fill) - 3 * profile[.house]
        odds += 1.5 * profile[.people]
        odds += profile[.inverted] > 0.6 ? (others.hasPlainPeople ? -4 : 3.5) : 0
        odds -= profile[.titleWords] * 1.5 + 6 * max(profile[.binding], profile[.language]) + 3 * profile[.status]
        return odds
    }

    /// The log-odds of an additional column of people besides the first authors; some cells of such a column are empty. Nil if only a header can show
    /// this role.
    private func authors(_ others: ColumnNeighbors) -> Double? {
        if isNamed(.authors) { return author(others) < 0 ? 4 * profile[.person] - 3 : 1 }
        guard others.hasAuthors, !isUnknown(.authors, others), profile[.text] > 0.5, profile[.inverted] < 0.4 else {
            return nil
        }
        var odds =
            odds(profile[.person], 2.5) + 1.5 * profile[.people] - 4 * profile[.house] - 8 * max(0, profile.fill - 0.8)
        odds -= 1.5 * profile[.titleWords] + 6 * max(profile[.binding], profile[.language]) + 3 * profile[.status]
        return odds - (profile.variety < 0.5 ? 4 : 0) - 4 * profile[.lowerCase]
    }

    /// How well the cells fit a column of a known layout; from -4 to 3.
    func fit(_ column: FormatDescription.Column?, header: String, _ others: ColumnNeighbors) -> Double {
        guard profile.filled > 0 else { return 0.05 }
        let odds: Double =
            switch column?.role {
            case nil: 0
            case .ignore:
                ignored(header)
            case .title: title(others) + 2
            case .dateRead, .dateStarted, .dateAdded: dates
            case .publicationDate: max(dates, years())
            case .publicationYear, .originalYear: years()
            case .authors: self.odds(profile[.person], 3)
            case .goodreadsBookId, .librarythingId: self.odds(profile[.integer], 3) - (profile.variety < 0.9 ? 3 : 0)
            case .rating: profile[.stars] > 0.5 ? 3 : self.odds(profile[.quarter], 2) - (profile.highest > 5 ? 3 : 0)
            // Readers create their own shelves, so a few unknown words hardly count against the column.
            case .status:
                column?.rule == .readFlag || column?.rule == .wishlist
                    ? self.odds(max(profile[.flag], profile[.date]), 2)
                    : max(status, profile.distinct <= 12 ? -0.5 : -4)
            case .format where column?.rule == .fallback: 0
            case .some(let role): content(role, others) ?? compatibility(role)
            }
        return min(3, max(-4, odds))
    }

    /// How well the cells fit an ignored column that has characteristic cells.
    private func ignored(_ header: String) -> Double {
        if HeaderVocabulary.isInvertedName(header) { return odds(profile[.inverted], 2) }
        return header == "bookshelves with positions" ? 4 * profile[.positions] - 1 : 0
    }

    private var status: Double {
        if isReadFlag && profile.isFlag { return 3 }
        let isFew = profile.distinct <= 3 + profile.filled / 4
        return odds(profile[.status], 4) - (isFew ? 0 : 4) - 3 * profile[.statusList] + 1.5 * profile.fill
            - (profile[.binding] > 0.5 ? 3 : 0)
    }

    private func rating(_ others: ColumnNeighbors) -> Double {
        if profile[.stars] > 0.5 || isNamed(.rating) && profile[.percentage] > 0.5 { return 5 }
        var odds = odds(profile[.quarter], 2.5) - 8 * profile[.fraction] - 8 * (profile.highest > 100 ? 1 : 0)
        odds += [4, 4.5, 5, 8, 9, 10].contains(profile.highest) ? 2 : -2
        odds += profile.distinct >= 4 ? 1.5 : profile.distinct >= 3 ? 0.5 : -2.5
        let hasFractions = profile[.quarter] - profile[.integer] > 0.1
        let isCount = profile.isNumbering && !isNamed(.rating) || isUnknown(.rating, others) && !hasFractions
        odds -= isCount ? 8 : 0
        return odds - (profile.highest > 10 ? 3 : 0) - (profile.mean > 5 && profile.highest <= 10 ? 1 : 0)
    }

    /// The log-odds from the cells for a date role. A header that names a date is trusted even if the cells are years or spreadsheet dates, or if
    /// comparing the columns suggests another role. A header such as `Date` only hints at the date added. Unless another header certainly names the
    /// date added, no date role of such a column counts as doubtful.
    private func dates(_ role: ColumnRole, _ others: ColumnNeighbors) -> Double {
        let namedShare = isNamed(role) ? profile[.year] + profile[.spreadsheetDay] : 0
        let isContradicted = others.dateRoles[index] != role
        return odds(min(1, profile[.date] + profile[.dateList] + namedShare), 4) - 1
            + (!isContradicted ? 1 : named[role] ?? .hint >= .likely ? -2 : -7)
            - (isNamed(.dateAdded) && (namesDateAdded || !others.hasAddedHeader) ? 0 : doubt(role, others))
    }

    private var dates: Double { odds(min(1, profile[.date] + profile[.dateList]), 4) - 1 }

    /// The log-odds from the cells for a year. A header that names a year is also trusted if the cells are full dates or contain years, as in
    /// `c1990`.
    ///
    /// - Parameter role: The role that the header may name; nil to judge only the cells.
    private func years(_ role: ColumnRole? = nil) -> Double {
        let dates = role.map(isNamed) == true ? profile[.date] + profile[.yearInText] : 0
        return odds(min(1, profile[.year] + dates), 4) - (profile.mean < 1_000 && dates < 0.5 ? 4 : 0)
    }

    private var pages: Double {
        // A header that names the page count is also trusted if the numbers have units.
        let named = profile[.integer] + profile[.numberWithUnit]
        if isNamed(.pageCount), profile[.numberWithUnit] > 0, named > 0.8 { return 1 }
        var odds = odds(profile[.integer], 3) - 6 * max(0, profile[.year] - 0.3)
        odds += (60...900).contains(profile.mean) ? 2 : -5
        odds += profile.distinct > max(3, profile.filled / 8) ? 1 : -3
        return odds - (profile.highest > 12_000 ? 6 : 0) - (profile.running > 0.5 ? 8 : 0)
    }

    // MARK: Roles that need a header

    /// The log-odds that the cells add to a role named by the header: a penalty if they contradict it, otherwise close to 0.
    private func compatibility(_ role: ColumnRole) -> Double {
        switch role {
        case .readCount, .position: profile[.integer] + profile[.fraction] < 0.5 ? -6 : 0
        case .owned: profile[.integer] + profile[.flag] < 0.5 ? -6 : 0
        case .publisher, .subtitle, .review, .series, .shelves, .tags:
            max(profile[.isbn13], profile[.isbn10], profile[.date], profile[.fraction]) > 0.5
                ? -6 : profile[.text] > 0.3 ? 0.5 : -1
        case .notes: max(profile[.isbn13], profile[.isbn10], profile[.date]) > 0.5 || profile[.quarter] > 0.9 ? -4 : 0
        case .goodreadsBookId, .librarythingId: profile[.text] > 0.5 ? -6 : 0
        case .mediaType: profile.variety > 0.5 && profile.filled > 8 ? -6 : 0
        default: 0
        }
    }
}
