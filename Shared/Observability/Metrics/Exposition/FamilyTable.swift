/// Families of several processes, grouped by name: the text format wants all readings of a name together.
package struct FamilyTable: Sendable {
    private var places: [String: Int] = [:]
    /// In the order in which their names first came.
    package private(set) var families: [MetricFamily] = []

    package init() {}

    /// Adds what a process shows; every reading gets the process's labels before its own.
    ///
    /// Of a name that another process declares differently, as programs of two versions may do, the first declaration holds, and
    /// the readings of the other are left out.
    package mutating func add(_ more: [MetricFamily], labels: [Sample.Label]) {
        for family in more {
            let samples = family.samples.map { Sample(labels: labels + $0.labels, $0.reading) }
            guard let place = places[family.name] else {
                places[family.name] = families.count
                families.append(family)
                families[families.count - 1].samples = samples
                continue
            }
            guard families[place].kind == family.kind, families[place].bounds == family.bounds else { continue }
            families[place].samples += samples
        }
    }
}
