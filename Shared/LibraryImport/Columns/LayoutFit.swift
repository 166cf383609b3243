import BookstrackContract

/// An application's layout that fits the cells of a file without known headers. The order matters; columns may be missing or added.
struct LayoutFit {
    let description: FormatDescription
    /// The layout's header for every column in the file; empty for a column that is not in the layout.
    let headers: [String]
    private let score: Double

    /// Cost of a layout column that is missing from the file.
    private static let missing = 0.6
    /// Cost of a file column that is missing from the layout.
    private static let added = 1.2

    /// The best-fitting layout; nil if none fits.
    static func best(_ profiles: [ColumnProfile]) -> LayoutFit? {
        guard profiles.count >= 6 else { return nil }
        let neighbors = ColumnNeighbors(profiles, hasBookHeader: false, hasTitleHeader: false, hasAddedHeader: false)
        let evidence = profiles.indices.map { ColumnEvidence(index: $0, header: "", profile: profiles[$0]) }
        let shown = ColumnAssignment.choices(evidence).filter { $0.value.confidence >= 0.8 }.mapValues { kind($0.role) }
        guard shown.count >= 4 else { return nil }
        var best: LayoutFit?
        for description in FormatDescription.all {
            for layout in description.layouts where abs(layout.count - profiles.count) <= max(3, layout.count / 4) {
                guard let fit = LayoutFit(description, layout, evidence, neighbors, shown) else { continue }
                if fit.score > best?.score ?? 0 { best = fit }
            }
        }
        return best
    }

    /// - Parameter shown: The roles evident from the cells alone, by column index.
    private init?(
        _ description: FormatDescription, _ layout: [String], _ evidence: [ColumnEvidence],
        _ neighbors: ColumnNeighbors, _ shown: [Int: ColumnRole]
    ) {
        let roles = layout.map { description.columns[$0]?.role }
        let fits = layout.map { header in
            evidence.map { $0.fit(description.columns[header], header: header, neighbors) }
        }
        var candidates = [Self.align(fits)]
        if layout.count == evidence.count { candidates.insert(layout.indices.map { $0 }, at: 0) }
        let places = candidates.first { places in
            let agreeing = shown.count { places[$0.key].flatMap { roles[$0] }.map(Self.kind) == $0.value }
            // If a column of titles or ISBNs does not match the layout, another application wrote the file.
            let contradicts = shown.contains { column, kind in
                (kind == .title || kind == .isbn) && places[column].flatMap { roles[$0] }.map(Self.kind) != kind
            }
            return !contradicts && 4 * agreeing >= 3 * shown.count
        }
        guard let places else { return nil }
        self.description = description
        headers = places.map { $0.map { layout[$0] } ?? "" }
        let missing = Self.missing * Double(layout.count - places.count { $0 != nil })
        score = places.enumerated().reduce(-missing) { sum, entry in
            evidence[entry.offset].profile.filled == 0
                ? sum : sum + (entry.element.map { fits[$0][entry.offset] } ?? -Self.added)
        }
        let hasTitles = zip(places, evidence).contains { place, item in
            guard let role = place.flatMap({ roles[$0] }), item.profile.filled > 0 else { return false }
            return role == .title || role == .openLibraryWork
        }
        guard hasTitles, score >= 6 else { return nil }
    }

    /// Roles that cells alone cannot distinguish are treated as one.
    private static func kind(_ role: ColumnRole) -> ColumnRole {
        switch role {
        case .authors: .author
        case .isbn10, .isbn13: .isbn
        case .dateStarted, .dateAdded: .dateRead
        case .originalYear, .publicationDate: .publicationYear
        default: role
        }
    }

    /// For every file column, its position in the layout, such that the sum of the fits is maximal and the order is preserved.
    private static func align(_ fits: [[Double]]) -> [Int?] {
        let (rows, columns) = (fits.count, fits.first?.count ?? 0)
        var sums = [[Double]](repeating: [Double](repeating: 0, count: columns + 1), count: rows + 1)
        for column in stride(from: 1, through: columns, by: 1) { sums[0][column] = -added * Double(column) }
        for row in stride(from: 1, through: rows, by: 1) {
            sums[row][0] = -missing * Double(row)
            for column in stride(from: 1, through: columns, by: 1) {
                sums[row][column] = max(
                    sums[row - 1][column - 1] + fits[row - 1][column - 1], sums[row - 1][column] - missing,
                    sums[row][column - 1] - added)
            }
        }
        var places = [Int?](repeating: nil, count: columns)
        var (row, column) = (rows, columns)
        while row > 0, column > 0 {
            if sums[row][column] == sums[row - 1][column - 1] + fits[row - 1][column - 1] {
                (row, column) = (row - 1, column - 1)
                places[column] = row
            } else if sums[row][column] == sums[row - 1][column] - missing {
                row -= 1
            } else {
                column -= 1
            }
        }
        return places
    }
}
