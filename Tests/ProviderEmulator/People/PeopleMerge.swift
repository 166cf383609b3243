extension [Person] {
    /// These people and those of a table. Where both know somebody, by id or, if the id is an invented one, by name, the table's id,
    /// gender and states count, since that is what answers are compared with; everything else is kept.
    func merged(with rows: [Person]) -> [Person] {
        var merged = self
        var places: [String: Int] = [:]
        for (place, person) in enumerated() where places[person.id] == nil { places[person.id] = place }
        var named: [String: Int] = [:]
        for (place, person) in enumerated() where person.isIdentified && person.kind == .human {
            for name in person.names where named[name.folded] == nil { named[name.folded] = place }
        }
        for row in rows {
            let namesake = named[row.name.folded].flatMap { place in
                row.hasInventedID || merged[place].hasInventedID ? place : nil
            }
            if let place = places[row.id] ?? namesake {
                merged[place] = merged[place].corrected(by: row)
                places[merged[place].id] = place
            } else {
                places[row.id] = merged.count
                merged.append(row)
            }
        }
        return merged
    }
}

extension Person {
    /// Invented ids have nine digits after their nine; real ones do not reach as far.
    var hasInventedID: Bool { id.count == 11 }

    fileprivate func corrected(by row: Person) -> Person {
        Person(
            id: row.hasInventedID ? id : row.id, name: name, kind: kind, gender: row.gender,
            citizenships: row.citizenships.isEmpty ? citizenships : row.citizenships,
            preferred: row.citizenships.isEmpty ? preferred : nil, deprecated: deprecated, born: born, died: died,
            occupations: occupations, aliases: row.name == name ? aliases : aliases + [row.name], works: works,
            isIdentified: isIdentified)
    }
}
