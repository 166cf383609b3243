/// The authors of the sample catalog with their known facts, other people and items with the same names, and people who add genders and countries.
/// Some authors are missing on purpose (Bessel van der Kolk, Jill McCorkle); some lack facts.
///
/// They are the rows of the embedded file `SamplePeople.tsv`. An empty `id` stands for an invented one. Genders, states, occupations and kinds are
/// the names of cases of `WikidataItemID`; the other columns are those of `Person`, where `identified` is `yes` or `no`.
enum SamplePeople {
    private enum Column: Int, CaseIterable {
        case name, id, gender, states, preferred, deprecated, born, died, occupations, aliases, works, kind, identified
    }

    static let all = SampleRow<Column>.rows(of: PackageResources.SamplePeople_tsv).map { row in
        guard let person = person(row) else { preconditionFailure("not a sample person: \(row)") }
        return person
    }

    /// The person of a row; nil if a required field is missing or a field is invalid.
    private static func person(_ row: SampleRow<Column>) -> Person? {
        var isValid = true
        func items(_ column: Column) -> [WikidataItemID] {
            row.list(column).compactMap { name in
                let item = WikidataItemID.named[name]
                if item == nil { isValid = false }
                return item
            }
        }
        guard let name = row.text(.name), let kind = items(.kind).first, let identified = row.text(.identified) else {
            return nil
        }
        let person = Person(
            name, row.text(.id), items(.gender).first, items(.states), row.text(.born), row.text(.died),
            preferred: items(.preferred).first, deprecated: items(.deprecated).first, as: items(.occupations),
            kind: kind, aka: row.list(.aliases), works: row.list(.works), isIdentified: identified == "yes")
        return isValid && ["yes", "no"].contains(identified) ? person : nil
    }
}
