/// The instruments of one family, one for each set of labels that has occurred.
///
/// An instrument is found without a lock and without hashing: its labels are numbers in tables of tables.
package final class Labelled<Labels: MetricLabels, Measure: Instrument>: Sendable {
    private final class Entry: Sendable {
        let labels: Labels
        let instrument: Measure

        init(_ labels: Labels, _ instrument: Measure) {
            self.labels = labels
            self.instrument = instrument
        }
    }

    private typealias Row = LazyPlaces<Entry>
    private typealias Table = LazyPlaces<Row>

    private let tables: [Table]
    private let make: @Sendable () -> Measure

    /// - Parameter make: Makes the instrument of a set of labels when it first occurs.
    package init(_ labels: Labels.Type = Labels.self, make: @escaping @Sendable () -> Measure) {
        let perTable = Table.count * Row.count
        tables = (0..<(Labels.placeCount + perTable - 1) / perTable).map { _ in Table() }
        self.make = make
    }

    /// The instrument of `labels`.
    package subscript(labels: Labels) -> Measure {
        let (row, place) = labels.place.quotientAndRemainder(dividingBy: Row.count)
        let (table, rowPlace) = row.quotientAndRemainder(dividingBy: Table.count)
        return tables[table].element(at: rowPlace) { Row() }
            .element(at: place) { Entry(labels, make()) }.instrument
    }

    /// The instrument of `labels` if they have occurred.
    package func existing(_ labels: Labels) -> Measure? {
        let (row, place) = labels.place.quotientAndRemainder(dividingBy: Row.count)
        let (table, rowPlace) = row.quotientAndRemainder(dividingBy: Table.count)
        return tables[table].existing(at: rowPlace)?.existing(at: place)?.instrument
    }

    /// The reading of each set of labels that has occurred.
    package var samples: [Sample] { occurred.map { Sample(labels: $0.pairs, $1.reading) } }

    /// Each set of labels that has occurred, in the order of their places.
    package var occurred: [(labels: Labels, instrument: Measure)] {
        tables.flatMap { table in
            (0..<Table.count).compactMap { table.existing(at: $0) }.flatMap { row in
                (0..<Row.count).compactMap { row.existing(at: $0) }.map { ($0.labels, $0.instrument) }
            }
        }
    }
}

extension Labelled where Labels: CaseIterable {
    /// Lets every set of labels show from the start, at zero: what appears only with its first event has no rate for that event.
    package func showAll() {
        for labels in Labels.allCases { _ = self[labels] }
    }
}
