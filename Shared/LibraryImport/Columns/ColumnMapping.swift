package import BookstrackContract

/// The client's `mapping`: roles by header or by column number, from 0.
package enum ColumnMapping {
    /// Why a mapping cannot be used, with the columns at fault.
    package enum Fault: Error, Equatable, Sendable {
        /// The file does not have these columns.
        case unknownColumns([String])
        /// Several columns have a role that only one column may have.
        case repeatedRole(ColumnRole, columns: [String])
        /// A column has two roles: one by its header, and one by its number or a different spelling.
        case contradiction([String])
    }

    /// The fault if the mapping assigns to several columns a role that only one may have. This does not depend on the file.
    package static func repeatedRole(_ mapping: [String: ColumnRole]) -> Fault? {
        for (role, entries) in Dictionary(grouping: mapping, by: \.value) where !role.isRepeatable && entries.count > 1
        {
            return .repeatedRole(role, columns: entries.map(\.key).sorted())
        }
        return nil
    }

    /// Replaces the plan's roles with those in the mapping. If another column is mapped to the status, a wish-list column keeps its role, because it
    /// only supplements the status.
    ///
    /// - Parameter rows: The first data rows.
    static func apply(
        _ mapping: [String: ColumnRole], to plan: inout ColumnPlan, rows: some Sequence<[String]>
    ) throws(Fault) {
        if let fault = repeatedRole(mapping) { throw fault }
        var (roles, keys, unknown) = ([Int: ColumnRole](), [Int: String](), [String]())
        for (key, role) in mapping.sorted(by: { $0.key < $1.key }) {
            guard let index = index(of: key, in: plan) else {
                unknown.append(key)
                continue
            }
            if let other = keys[index], roles[index] != role { throw .contradiction([other, key]) }
            (roles[index], keys[index]) = (role, key)
        }
        guard unknown.isEmpty else { throw .unknownColumns(unknown) }
        for index in plan.columns.indices {
            if let role = roles[index] {
                let keepsRule = plan.columns[index].role == role
                plan.columns[index].role = role
                if !keepsRule { plan.columns[index].rule = nil }
                (plan.columns[index].confidence, plan.columns[index].by) = (1, .request)
                if role == .status, plan.columns[index].rule == nil, ColumnProfile(column: index, of: rows).isFlag {
                    plan.columns[index].rule = .readFlag
                }
            } else if let own = plan.columns[index].role, !own.isRepeatable, roles.values.contains(own),
                plan.columns[index].rule != .wishlist
            {
                plan.columns[index].role = nil
                plan.columns[index].rule = nil
            }
        }
    }

    private static func index(of key: String, in plan: ColumnPlan) -> Int? {
        let folded = FoldedText.fold(key)
        if plan.hasHeader, !folded.isEmpty,
            let named = plan.columns.firstIndex(where: { FoldedText.fold($0.header) == folded })
        {
            return named
        }
        return Int(key).flatMap { plan.columns.indices.contains($0) ? $0 : nil }
    }
}
