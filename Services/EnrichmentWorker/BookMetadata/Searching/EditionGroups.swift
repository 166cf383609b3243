import BookIdentifiers

/// Sorts records by the edition that they describe.
enum EditionGroups {
    /// Records that share an ISBN or an identifier are one edition; groups in the order of their first record.
    static func grouping(_ records: some Sequence<EditionRecord>) -> [[EditionRecord]] {
        var groups: [[EditionRecord]] = []
        var groupByName: [String: Int] = [:]
        for record in records {
            let names = names(of: record)
            let index = names.lazy.compactMap { groupByName[$0] }.first ?? groups.count
            if index == groups.count { groups.append([]) }
            groups[index].append(record)
            for name in names where groupByName[name] == nil { groupByName[name] = index }
        }
        return groups
    }

    private static func names(of record: EditionRecord) -> [String] {
        record.isbns.map(\.isbn13) + (record.identifiers.openLibraryEdition.map { [$0] } ?? [])
            + record.identifiers.googleVolumes.map { "google \($0)" }
    }
}
