import BookstrackContract

/// Assigns every role to at most one column such that the sum of the log-odds is maximal. Further columns may then get a repeatable role.
enum ColumnAssignment {
    /// A column's role and the confidence in it.
    struct Choice: Equatable {
        let role: ColumnRole
        let confidence: Double
    }

    /// The roles of columns, by their indexes in `evidence`. Roles in `taken` are assigned again only if they are repeatable.
    static func choices(_ evidence: [ColumnEvidence], taken: Set<ColumnRole> = []) -> [Int: Choice] {
        let neighbors = ColumnNeighbors(
            evidence.map(\.profile), hasBookHeader: evidence.contains(where: \.namesBookRole),
            hasTitleHeader: evidence.contains(where: \.namesTitleOrAuthor),
            hasAddedHeader: evidence.contains(where: \.namesDateAdded))
        let roles = ColumnRole.allCases.filter { $0 != .ignore && !(taken.contains($0) && !$0.isRepeatable) }
        var scores = roles.map { role in evidence.map { $0.logOdds(role, among: neighbors) } }
        for (column, item) in evidence.enumerated() where item.isNamed(.ignore) {
            for role in roles.indices where !item.isNamed(roles[role]) { scores[role][column] = ColumnEvidence.never }
        }
        var choices: [Int: Choice] = [:]
        // A role without a positive score could not be assigned to any of the columns.
        let candidates = roles.indices.filter { scores[$0].contains { $0 > 0 } }
        let pairs = pairs(candidates.map { scores[$0] }).map { (role: candidates[$0.role], column: $0.column) }
        let numbers = Set(pairs.filter { RowColumns.isbnRoles.contains(roles[$0.role]) }.map(\.column))
        for (role, column) in pairs {
            // Columns with the two forms of an ISBN do not compete.
            let partners = RowColumns.isbnRoles.contains(roles[role]) ? numbers : [column]
            choices[column] = Choice(role: roles[role], confidence: confidence(scores[role], column, partners))
        }
        for (role, name) in roles.enumerated() where name.isRepeatable {
            for column in evidence.indices where choices[column] == nil && scores[role][column] > 0 {
                choices[column] = Choice(role: name, confidence: sigmoid(scores[role][column]))
            }
        }
        for (column, item) in evidence.enumerated() where choices[column] == nil && item.isNamed(.ignore) {
            choices[column] = Choice(role: .ignore, confidence: 0.9)
        }
        return choices
    }

    /// The confidence in a role, from its own evidence and from the distance to the next best column for the role.
    private static func confidence(_ scores: [Double], _ column: Int, _ partners: Set<Int>) -> Double {
        let rival =
            scores.indices.lazy.filter { !partners.contains($0) }.map { scores[$0] }.max() ?? ColumnEvidence.never
        return min(sigmoid(scores[column]), sigmoid(1.5 * (scores[column] - rival)))
    }

    private static func sigmoid(_ logOdds: Double) -> Double {
        // A rational function, so no math library is needed: exact at 0, 0.94 instead of 0.95 at 3, and monotonic.
        let magnitude = abs(logOdds)
        let half = 0.5 * (magnitude + magnitude * magnitude / 2) / (1 + magnitude + magnitude * magnitude / 2)
        return logOdds < 0 ? 0.5 - half : 0.5 + half
    }

    /// The pairs whose scores have the highest sum; only pairs with a score above 0. Uses the Hungarian method with potentials; one extra column with
    /// score 0 per role allows every role to remain unassigned.
    private static func pairs(_ scores: [[Double]]) -> [(role: Int, column: Int)] {
        guard let columns = scores.first?.count, columns > 0 else { return [] }
        let (rows, width) = (scores.count, columns + scores.count)
        func cost(_ row: Int, _ column: Int) -> Double { column < columns ? -scores[row][column] : 0 }
        var (rowPotential, columnPotential) = (
            [Double](repeating: 0, count: rows + 1), [Double](repeating: 0, count: width + 1)
        )
        // Positions count from 1; position 0 of `rowOf` holds the row being assigned.
        var rowOf = [Int](repeating: 0, count: width + 1)
        var previous = [Int](repeating: 0, count: width + 1)
        for row in 1...rows {
            rowOf[0] = row
            var column = 0
            var least = [Double](repeating: .infinity, count: width + 1)
            var isUsed = [Bool](repeating: false, count: width + 1)
            repeat {
                isUsed[column] = true
                let current = rowOf[column]
                var (delta, next) = (Double.infinity, 0)
                for candidate in 1...width where !isUsed[candidate] {
                    let reduced = cost(current - 1, candidate - 1) - rowPotential[current] - columnPotential[candidate]
                    if reduced < least[candidate] { (least[candidate], previous[candidate]) = (reduced, column) }
                    if least[candidate] < delta { (delta, next) = (least[candidate], candidate) }
                }
                for candidate in 0...width {
                    if isUsed[candidate] {
                        rowPotential[rowOf[candidate]] += delta
                        columnPotential[candidate] -= delta
                    } else {
                        least[candidate] -= delta
                    }
                }
                column = next
            } while rowOf[column] != 0
            repeat {
                let before = previous[column]
                rowOf[column] = rowOf[before]
                column = before
            } while column != 0
        }
        return (1...columns).compactMap { column in
            let row = rowOf[column] - 1
            return row >= 0 && scores[row][column - 1] > 0 ? (row, column - 1) : nil
        }
    }
}
