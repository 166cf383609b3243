import BookstrackContract

/// Determines the roles of a table's columns from its first rows.
struct ColumnPlanner {
    private let rows: [[String]]
    private let width: Int
    private let kind: TableShape.Kind
    private let namedHeaders: Set<String>
    private let guesses: [Int: ColumnRole]

    /// - Parameters:
    ///   - rows: The first rows of the file, including the header if there is one.
    ///   - kind: How the file's text is divided into rows and cells.
    ///   - namedHeaders: Headers named by the client.
    ///   - guesses: Roles suggested by a model, by column index.
    init(
        rows: [[String]], kind: TableShape.Kind, namedHeaders: some Sequence<String>, guesses: [Int: ColumnRole] = [:]
    ) {
        self.rows = rows
        self.guesses = guesses
        self.namedHeaders = Set(namedHeaders.map(FoldedText.fold).filter { !$0.isEmpty && Int($0) == nil })
        self.kind = kind
        width = Self.usualWidth(rows)
    }

    /// The most common number of cells in a row, but at least that of the first row; individual rows may have more by mistake.
    private static func usualWidth(_ rows: [[String]]) -> Int {
        var counts: [Int: Int] = [:]
        for row in rows { counts[row.count, default: 0] += 1 }
        let usual = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
        return max(usual, rows.first?.count ?? 0)
    }

    /// Creates the plan for a table. The client may have specified its format.
    func plan(format: LibraryFormat?) -> ColumnPlan {
        let headers = (rows.first ?? []).map(FoldedText.fold)
        if kind == .titleByAuthorList || kind == .clippings { return titleByAuthor() }
        if let description = format.flatMap(FormatDescription.of) {
            return plan(described: description, headers: headers)
        }
        if format == nil, let recognized = RecognizedFormat(foldedHeaders: headers) {
            return plan(recognized.description, headers, hasHeader: true, confidence: recognized.confidence)
        }
        let traits = traitsOfColumns()
        let isNumbered = width == 1 && Numbering.isUsual(in: rows)
        let below = traits.map { ColumnProfile($0.dropFirst(isNumbered && kind != .json ? 0 : 1)) }
        let hasHeader =
            kind == .json || headers.contains(where: namedHeaders.contains)
            || HeaderDecision.isHeader(rows[0], profiles: below)
        let profiles = hasHeader ? below : traits.map { ColumnProfile($0) }
        if format == nil, guesses.isEmpty, !(hasHeader && HeaderVocabulary.knows(headers)),
            let fit = LayoutFit.best(profiles)
        {
            return plan(fit.description, fit.headers, hasHeader: hasHeader, confidence: 0.85)
        }
        return unknown(hasHeader: hasHeader, profiles: profiles)
    }

    /// The traits of each column's cells, by row; nil for an empty cell or placeholder.
    private func traitsOfColumns() -> [[CellTraits?]] {
        var memory = CellTraits.Memory()
        let isNumbered = width == 1 && Numbering.isUsual(in: rows)
        return (0..<width).map { column in
            rows.map { row in
                let cell = column < row.count ? row[column] : ""
                return memory.traits(of: isNumbered ? Numbering.without(cell) : cell)
            }
        }
    }

    // MARK: Known formats

    /// The plan for a format that the client has specified. Columns are recognized by their headers, by the layout of a file without headers, or else
    /// as if no format were specified.
    private func plan(described description: FormatDescription, headers: [String]) -> ColumnPlan {
        let known = headers.count { description.columns[$0] != nil }
        if known >= 2 || (known == 1 && headers.count <= 2) {
            return plan(description, headers, hasHeader: true, confidence: 1)
        }
        if let layout = description.layouts.first(where: { $0.count == width }) {
            return plan(description, layout, hasHeader: kind == .json, confidence: 1)
        }
        var plan = plan(format: nil)
        (plan.format, plan.description) = (description.format, description)
        return plan
    }

    private func plan(_ description: FormatDescription, _ headers: [String], hasHeader: Bool, confidence: Double)
        -> ColumnPlan
    {
        // The suite's own columns each have a unique name. Other columns are kept unchanged, whatever their names suggest.
        let isOwn = description.format == .bookstrack
        var taken: Set<ColumnRole> = []
        var columns = emptyColumns(hasHeader: hasHeader)
        for (index, header) in headers.enumerated() where index < columns.count {
            guard let known = description.columns[header] else { continue }
            guard
                known.role.isRepeatable && !isOwn || known.rule == .fallback || known.rule == .wishlist
                    || taken.insert(known.role).inserted
            else { continue }
            (columns[index].role, columns[index].rule) = (known.role, known.rule)
            (columns[index].confidence, columns[index].by) = (confidence, .format)
        }
        if hasHeader, !isOwn {
            addNamedColumns(to: &columns, taken)
            useInvertedNames(in: &columns)
        }
        return ColumnPlan(
            format: description.format, confidence: confidence, hasHeader: hasHeader, columns: columns,
            description: description)
    }

    /// Assigns roles to columns that the format does not describe, for example because a user has added them to the application's export.
    private func addNamedColumns(to columns: inout [ColumnPlan.Column], _ taken: Set<ColumnRole>) {
        var taken = taken
        for index in columns.indices where columns[index].by == nil {
            let header = columns[index].header
            if HeaderVocabulary.isReadFlag(header), !taken.contains(.status),
                ColumnProfile(column: index, of: rows.dropFirst()).isFlag
            {
                taken.insert(.status)
                (columns[index].role, columns[index].rule) = (.status, .readFlag)
                (columns[index].confidence, columns[index].by) = (0.9, .header)
                continue
            }
            let named = HeaderVocabulary.roles(header).filter { $0.value == .sure && $0.key != .ignore }
            guard named.count == 1, let role = named.first?.key, !RowColumns.idRoles.contains(role),
                role.isRepeatable || taken.insert(role).inserted
            else {
                continue
            }
            (columns[index].role, columns[index].confidence, columns[index].by) = (role, 0.9, .header)
        }
    }

    // MARK: Unknown tables

    private func unknown(hasHeader: Bool, profiles: [ColumnProfile]) -> ColumnPlan {
        var columns = emptyColumns(hasHeader: hasHeader)
        let headers = HeaderVocabulary.withoutCommonWord(columns.map(\.header))
        let evidence = columns.indices.map {
            ColumnEvidence(index: $0, header: headers[$0], profile: profiles[$0], guess: guesses[$0])
        }
        for (index, choice) in ColumnAssignment.choices(evidence) where choice.confidence >= ColumnPlan.minConfidence {
            columns[index].role = choice.role
            columns[index].confidence = choice.confidence
            columns[index].by =
                evidence[index].guess == choice.role ? .ai : evidence[index].isNamed(choice.role) ? .header : .content
            if choice.role == .status, evidence[index].isReadFlag, profiles[index].isFlag {
                columns[index].rule = .readFlag
            }
            if choice.role == .author, profiles[index][.inverted] > 0.6 { columns[index].rule = .lastFirst }
        }
        if !hasHeader { findShortTitles(in: &columns, evidence) }
        addFallbacks(to: &columns, evidence)
        joinNames(&columns, evidence)
        useInvertedNames(in: &columns)
        let format = list(columns, hasHeader: hasHeader) ?? .unknown
        let isList = format == .titleList || kind == .json && width == 1 && columns[0].role == .title
        if isList, Numbering.isUsual(in: rows) { columns[0].rule = .numbered }
        let used = columns.filter { $0.role != nil && $0.role != .ignore }
        return ColumnPlan(
            format: format, confidence: used.map(\.confidence).min() ?? 0,
            hasHeader: hasHeader, columns: columns)
    }

    /// Finds the titles in a list of ISBNs without a header if no column looks like titles. Titles of one word look like family names, and those of
    /// two or three words like people. Therefore, the titles are taken from the first column that has a different text in every row and few inverted
    /// names, lists of names or names with initials; the authors are taken from another column of texts. The plan stays as it is in two unclear
    /// cases: if all of the titles look like people but some of the authors do not, since the two columns may then be swapped; and if there is only
    /// one column of texts, none of which looks like a person.
    private func findShortTitles(in columns: inout [ColumnPlan.Column], _ evidence: [ColumnEvidence]) {
        guard columns.contains(where: { RowColumns.isbnRoles.contains($0.role ?? .ignore) }),
            !columns.contains(where: { $0.role == .title })
        else { return }
        let texts = columns.indices.filter {
            [nil, .author, .authors].contains(columns[$0].role) && evidence[$0].mayBeTitlesOrAuthors
        }
        let title = texts.first { index in
            let profile = evidence[index].profile
            return profile.variety == 1 && max(profile[.inverted], profile[.people]) < 0.3
        }
        guard let title else { return }
        let author = columns.firstIndex { $0.index != title && $0.role == .author } ?? texts.first { $0 != title }
        let people = evidence[title].profile[.person]
        let isUnclear = author.map { people == 1 && evidence[$0].profile[.person] < 1 } ?? (people == 0)
        guard !isUnclear else { return }
        columns[title].rule = nil
        for (index, role) in [(title, ColumnRole.title), (author, .author)] {
            guard let index else { continue }
            (columns[index].role, columns[index].by) = (role, .content)
            columns[index].confidence = ColumnPlan.sufficientConfidence
        }
    }

    /// Assigns a role to columns with the same meaning as the column that already has it; their cells are used where that column's are empty.
    private func addFallbacks(to columns: inout [ColumnPlan.Column], _ evidence: [ColumnEvidence]) {
        for (index, item) in evidence.enumerated() where columns[index].role == nil {
            let profile = item.profile
            let role: ColumnRole? =
                if item.isNamed(.isbn), profile[.isbn13] + profile[.isbn10] > 0.5 {
                    .isbn
                } else if item.isNamed(.dateRead), profile[.date] + profile[.dateList] + profile[.year] > 0.5 {
                    .dateRead
                } else if item.isNamed(.format), columns.contains(where: { $0.role == .format }) {
                    .format
                } else {
                    nil
                }
            guard let role, columns.contains(where: { $0.role == role }) else { continue }
            (columns[index].role, columns[index].rule) = (role, .fallback)
            (columns[index].confidence, columns[index].by) = (0.8, .header)
        }
    }

    /// Reads the authors from a column of family names and, if there is one, a column of given names, unless another column has full names. Numbers
    /// and dates, as in columns for the first and the last reading, are not names. Family names alone are used only if no column has both names.
    private func joinNames(_ columns: inout [ColumnPlan.Column], _ evidence: [ColumnEvidence]) {
        func column(_ isNamed: (String) -> Bool) -> Int? {
            evidence.firstIndex { isNamed($0.foldedHeader) && ($0.profile.filled == 0 || $0.profile[.text] > 0.5) }
        }
        let given = column(HeaderVocabulary.isGivenName)
        guard let family = column(HeaderVocabulary.isFamilyName),
            !columns.contains(where: {
                ($0.role == .author || $0.role == .authors) && $0.index != given && $0.index != family
            }),
            given != nil || !evidence.contains(where: { HeaderVocabulary.isInvertedName($0.foldedHeader) })
        else { return }
        (columns[family].role, columns[family].rule) = (.author, .familyName)
        if let given { (columns[given].role, columns[given].rule) = (.ignore, .givenName) }
        for index in [given, family].compactMap(\.self) {
            (columns[index].confidence, columns[index].by) = (0.9, .header)
        }
    }

    /// Reads the authors from a column that has them with the family name first, unless another column has authors.
    private func useInvertedNames(in columns: inout [ColumnPlan.Column]) {
        guard !columns.contains(where: { $0.role == .author || $0.role == .authors }),
            let index = columns.firstIndex(where: { HeaderVocabulary.isInvertedName(FoldedText.fold($0.header)) })
        else { return }
        (columns[index].role, columns[index].rule) = (.author, .lastFirst)
        (columns[index].confidence, columns[index].by) = (0.9, .header)
    }

    /// The format of a plain list without a header; nil for other tables.
    private func list(_ columns: [ColumnPlan.Column], hasHeader: Bool) -> LibraryFormat? {
        guard !hasHeader, width <= 2 else { return nil }
        switch columns.first?.role {
        case .isbn, .isbn10, .isbn13: return width == 1 ? .isbnList : nil
        case .title: return .titleList
        default: return nil
        }
    }

    /// Creates the plan for a list with one "Title by Author" per line, or for clippings.
    private func titleByAuthor() -> ColumnPlan {
        var columns = emptyColumns(hasHeader: false)
        for (index, role) in zip(columns.indices, [ColumnRole.title, .author]) {
            (columns[index].role, columns[index].confidence, columns[index].by) = (role, 0.9, .content)
        }
        if Numbering.isUsual(in: rows) { columns[0].rule = .numbered }
        return ColumnPlan(format: .titleList, confidence: 0.9, hasHeader: false, columns: columns)
    }

    private func emptyColumns(hasHeader: Bool) -> [ColumnPlan.Column] {
        (0..<width).map { index in
            let whole = hasHeader && index < rows[0].count ? CellText.line(rows[0][index]) : ""
            let header = RowLimits.cut(whole, to: RowLimits.word) ?? whole
            return ColumnPlan.Column(index: index, header: header)
        }
    }
}
