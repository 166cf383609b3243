import BookstrackContract

/// Finds out what the columns of a table mean, from its first rows.
struct ColumnPlanner {
    private let rows: [[String]]
    private let width: Int
    private let kind: TableShape.Kind
    private let namedHeaders: Set<String>

    /// - Parameters:
    ///   - rows: The first rows of the file, the header included if there is one.
    ///   - kind: How the file's text makes up rows.
    ///   - namedHeaders: Headers that the client has named.
    init(rows: [[String]], kind: TableShape.Kind, namedHeaders: some Sequence<String>) {
        self.rows = rows
        self.namedHeaders = Set(namedHeaders.map(FoldedText.fold).filter { !$0.isEmpty && Int($0) == nil })
        self.kind = kind
        width = Self.usualWidth(rows)
    }

    /// The most common number of cells, and no fewer than the first row has: single rows may have more by mistake.
    private static func usualWidth(_ rows: [[String]]) -> Int {
        var counts: [Int: Int] = [:]
        for row in rows { counts[row.count, default: 0] += 1 }
        let usual = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
        return max(usual, rows.first?.count ?? 0)
    }

    /// The plan of a table whose format the client may have named.
    func plan(format: LibraryFormat?) -> ColumnPlan {
        let headers = (rows.first ?? []).map(FoldedText.fold)
        if kind == .titleByAuthorList { return titleByAuthor() }
        if let description = format.flatMap(FormatDescription.of) {
            return plan(described: description, headers: headers)
        }
        if format == nil, let recognised = RecognisedFormat(foldedHeaders: headers) {
            return plan(recognised.description, headers, hasHeader: true, confidence: recognised.confidence)
        }
        let below = profiles(withoutFirst: true)
        let hasHeader =
            headers.contains(where: namedHeaders.contains) || HeaderDecision.isHeader(rows[0], profiles: below)
        if !hasHeader, format == nil, let known = layout() {
            return plan(known.description, known.headers, hasHeader: false, confidence: 0.85)
        }
        return unknown(hasHeader: hasHeader, profiles: hasHeader ? below : profiles(withoutFirst: false))
    }

    private func profiles(withoutFirst: Bool) -> [ColumnProfile] {
        (0..<width).map { column in
            ColumnProfile(cells: rows.dropFirst(withoutFirst ? 1 : 0).lazy.map { column < $0.count ? $0[column] : "" })
        }
    }

    // MARK: Known formats

    /// A format that the client has named: with its header, else in its layout.
    private func plan(described description: FormatDescription, headers: [String]) -> ColumnPlan {
        let known = headers.count { description.columns[$0] != nil }
        if known >= 2 || (known == 1 && headers.count <= 2) {
            return plan(description, headers, hasHeader: true, confidence: 1)
        }
        if let layout = description.layouts.first(where: { $0.count == width }) {
            return plan(description, layout, hasHeader: false, confidence: 1)
        }
        var plan = plan(format: nil)
        (plan.format, plan.description) = (description.format, description)
        return plan
    }

    /// A format in whose layout the cells of a file without header fit.
    private func layout() -> (description: FormatDescription, headers: [String])? {
        let candidates = FormatDescription.all.flatMap { description in
            description.layouts.lazy.filter { $0.count == width && width >= 8 }.map { (description, $0) }
        }
        guard !candidates.isEmpty else { return nil }
        let profiles = profiles(withoutFirst: false)
        let neighbours = ColumnNeighbours(profiles)
        return candidates.first { description, headers in
            let checked: [ColumnRole] = [
                .title, .author, .isbn, .status, .dateAdded, .dateRead, .pageCount, .format, .publicationYear,
            ]
            var (fits, misfits) = (0, 0)
            for (index, header) in headers.enumerated() where profiles[index].filled > 0 {
                guard let role = description.columns[header]?.role, checked.contains(role) else { continue }
                let odds = ColumnEvidence(index: index, foldedHeader: "", profile: profiles[index]).logOdds(
                    role, among: neighbours)
                if odds > 0 { fits += 1 } else if odds < -3 { misfits += 1 }
            }
            return fits >= 4 && fits > 3 * misfits
        }.map { (description: $0.0, headers: $0.1) }
    }

    private func plan(_ description: FormatDescription, _ headers: [String], hasHeader: Bool, confidence: Double)
        -> ColumnPlan
    {
        var taken: Set<ColumnRole> = []
        var columns = emptyColumns(hasHeader: hasHeader)
        for (index, header) in headers.enumerated() where index < columns.count {
            guard let known = description.columns[header] else { continue }
            guard
                known.role.isRepeatable || known.rule == .fallback || known.rule == .wishlist
                    || taken.insert(known.role).inserted
            else { continue }
            (columns[index].role, columns[index].rule) = (known.role, known.rule)
            (columns[index].confidence, columns[index].by) = (confidence, .format)
        }
        if hasHeader { addNamedColumns(to: &columns, headers, taken) }
        return ColumnPlan(
            format: description.format, confidence: confidence, hasHeader: hasHeader, columns: columns,
            description: description)
    }

    /// Columns that a reader has added to an application's export.
    private func addNamedColumns(to columns: inout [ColumnPlan.Column], _ headers: [String], _ taken: Set<ColumnRole>) {
        var taken = taken
        for index in columns.indices where columns[index].by == nil && index < headers.count {
            let named = HeaderVocabulary.roles(headers[index]).filter { $0.value == .sure && $0.key != .ignore }
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
        let evidence = columns.indices.map {
            ColumnEvidence(index: $0, foldedHeader: FoldedText.fold(columns[$0].header), profile: profiles[$0])
        }
        for (index, choice) in ColumnAssignment.choices(evidence) where choice.confidence >= ColumnPlan.leastConfidence
        {
            columns[index].role = choice.role
            columns[index].confidence = choice.confidence
            columns[index].by = evidence[index].isNamed(choice.role) ? .header : .content
            if choice.role == .status, HeaderVocabulary.isReadFlag(evidence[index].foldedHeader),
                profiles[index].flag > 0.8 || profiles[index].date > 0.5
            {
                columns[index].rule = .readFlag
            }
            if choice.role == .author, profiles[index].inverted > 0.6 { columns[index].rule = .lastFirst }
        }
        let used = columns.filter { $0.role != nil && $0.role != .ignore }
        return ColumnPlan(
            format: list(columns, hasHeader: hasHeader) ?? .unknown, confidence: used.map(\.confidence).min() ?? 0,
            hasHeader: hasHeader, columns: columns)
    }

    /// Whether a table without header is a plain list.
    private func list(_ columns: [ColumnPlan.Column], hasHeader: Bool) -> LibraryFormat? {
        guard !hasHeader, width <= 2 else { return nil }
        switch columns.first?.role {
        case .isbn, .isbn10, .isbn13: return width == 1 ? .isbnList : nil
        case .title: return .titleList
        default: return nil
        }
    }

    /// "Title by Author" a line.
    private func titleByAuthor() -> ColumnPlan {
        var columns = emptyColumns(hasHeader: false)
        for (index, role) in zip(columns.indices, [ColumnRole.title, .author]) {
            (columns[index].role, columns[index].confidence, columns[index].by) = (role, 0.9, .content)
        }
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
