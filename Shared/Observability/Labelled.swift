import Synchronization

/// The instruments of one family, one for each set of labels that has occurred.
package struct Labelled<Labels: MetricLabels, Measure: Instrument>: Sendable {
    private let table = InstrumentTable(placeCount: Labels.placeCount)
    private let make: @Sendable () -> Measure

    /// - Parameter make: Makes the instrument of a set of labels when it first occurs.
    package init(_ labels: Labels.Type = Labels.self, make: @escaping @Sendable () -> Measure) { self.make = make }

    /// The instrument of `labels`.
    package subscript(labels: Labels) -> Measure {
        downcast(table.instrument(at: labels.place) { InstrumentTable.Entry(labels.pairs, make()) })
    }

    /// The instrument of `labels` if they have occurred.
    package func existing(_ labels: Labels) -> Measure? { table.existing(at: labels.place).map(downcast) }

    /// The reading of each set of labels that has occurred, in the order of their places.
    package var samples: [Sample] { table.entries.map { Sample(labels: $0.labels, $0.instrument.reading) } }

    /// Each set of labels that has occurred, in the order of their places.
    package var occurred: [(labels: [Sample.Label], instrument: Measure)] {
        table.entries.map { ($0.labels, downcast($0.instrument)) }
    }

    /// The table is private, and only what `make` made is ever put into it; a checked cast would cost more than the look-up.
    private func downcast(_ instrument: any Instrument) -> Measure { unsafeDowncast(instrument, to: Measure.self) }
}

extension Labelled where Labels: CaseIterable {
    /// Lets every set of labels show from the start, at zero: what appears only with its first event has no rate for that event.
    package func showAll() {
        for labels in Labels.allCases { _ = self[labels] }
    }
}

/// The instruments of one family, each at the number of its labels, made when it is first needed.
///
/// An instrument is found without a lock and without hashing, in tables of rows. The table is not generic, so that finding one is plain
/// code also where `Labelled` is used by another module, whose generics the compiler does not specialise.
final class InstrumentTable: Sendable {
    /// An instrument and what tells it from the others.
    final class Entry: Sendable {
        let labels: [Sample.Label]
        let instrument: any Instrument

        init(_ labels: [Sample.Label], _ instrument: any Instrument) {
            self.labels = labels
            self.instrument = instrument
        }
    }

    private typealias Row = LazyPlaces<Entry>
    private typealias Table = LazyPlaces<Row>

    private let tables: [Table]

    init(placeCount: Int) {
        let perTable = Table.count * Row.count
        tables = (0..<(placeCount + perTable - 1) / perTable).map { _ in Table() }
    }

    func existing(at place: Int) -> (any Instrument)? {
        let (table, row, column) = Self.position(of: place)
        return tables[table].existing(at: row)?.existing(at: column)?.instrument
    }

    /// The instrument at a place; of two that are made for it at the same time, one stays.
    func instrument(at place: Int, make: () -> Entry) -> any Instrument {
        let (table, row, column) = Self.position(of: place)
        return tables[table].element(at: row) { Row() }.element(at: column, make: make).instrument
    }

    /// What was made so far, in the order of the places.
    var entries: [Entry] { tables.flatMap { table in table.existing.flatMap(\.existing) } }

    private static func position(of place: Int) -> (table: Int, row: Int, column: Int) {
        let (row, column) = place.quotientAndRemainder(dividingBy: Row.count)
        let (table, rowInTable) = row.quotientAndRemainder(dividingBy: Table.count)
        return (table, rowInTable, column)
    }
}

/// Places for objects that are made when they are first needed, without a lock; of two that are made at the same time, one stays.
final class LazyPlaces<Element: AnyObject & Sendable>: Sendable {
    static var count: Int { 32 }

    private let places = InlineArray<32, AtomicLazyReference<Element>> { _ in AtomicLazyReference() }

    /// What is at a place, if anything.
    func existing(at place: Int) -> Element? { places[place].load() }

    /// What was made so far, in the order of the places.
    var existing: [Element] { places.indices.compactMap { places[$0].load() } }

    func element(at place: Int, make: () -> Element) -> Element {
        places[place].load() ?? places[place].storeIfNil(make())
    }
}
