import BookstrackContract
import LibraryImport
import TestSupport

/// The meaning of the columns: the plan numbers its columns consecutively and has no more columns than the table, confidences are between 0 and 1,
/// and a role that only one column can have is assigned once.
struct ColumnStage: FuzzStage {
    let name = "columns"

    func fault(in file: [UInt8], using random: inout SeededGenerator) -> String? {
        guard let table = try? LibraryTable(bytes: file) else { return nil }
        let mapping: [String: ColumnRole]? =
            Int.random(in: 0..<4, using: &random) == 0
            ? ["\(Int.random(in: 0..<3, using: &random))": ColumnRole.allCases.randomElement(using: &random) ?? .title]
            : nil
        let format =
            Int.random(in: 0..<6, using: &random) == 0 ? LibraryFormat.allCases.randomElement(using: &random) : nil
        let reading = LibraryReading(table, options: ImportOptions(format: format, mapping: mapping))
        guard let plan = try? reading.plan() else { return nil }
        return faultOfColumns(plan, table) ?? faultOfRoles(plan)
    }

    private func faultOfColumns(_ plan: ColumnPlan, _ table: LibraryTable) -> String? {
        if plan.columns.map(\.index) != Array(0..<plan.columns.count) { return "columns \(plan.columns.map(\.index))" }
        if !(0...1).contains(plan.confidence) { return "confidence \(plan.confidence) in the format" }
        let widest = table.leadingRows.map(\.count).max() ?? 0
        if plan.columns.count > widest { return "\(plan.columns.count) columns of \(widest)" }
        guard let column = plan.columns.first(where: { !(0...1).contains($0.confidence) }) else { return nil }
        return "confidence \(column.confidence) in column \(column.index)"
    }

    private func faultOfRoles(_ plan: ColumnPlan) -> String? {
        var columns: [ColumnRole: Int] = [:]
        for column in plan.columns where column.rule != .fallback && column.rule != .wishlist {
            guard let role = column.role, !role.isRepeatable else { continue }
            if let other = columns.updateValue(column.index, forKey: role) {
                return "\(role) for columns \(other) and \(column.index)"
            }
        }
        return nil
    }
}
