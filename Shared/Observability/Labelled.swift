import Synchronization

/// The instruments of one family, one per set of labels in use.
package struct Labelled<Labels: MetricLabels, Measure: Instrument>: Sendable {
    private let table = InstrumentTable(placeCount: Labels.placeCount)
    private let make: @Sendable () -> Measure

    /// - Parameter make: Creates the instrument of a set of labels on first use.
    package init(_ labels: Labels.Type = Labels.self, make: @escaping @Sendable () -> Measure) { self.make = make }

    /// The instrument of `labels`.
    package subscript(labels: Labels) -> Measure {
        downcast(table.instrument(at: labels.place) { InstrumentTable.Entry(labels.pairs, make()) })
    }

    /// The instrument of `labels`, if they are in use.
    package func existing(_ labels: Labels) -> Measure? { table.existing(at: labels.place).map(downcast) }

    /// The reading of each set of labels in use, ordered by place.
    package var samples: [Sample] { table.entries.map { Sample(labels: $0.labels, $0.instrument.reading) } }

    /// Each set of labels in use, ordered by place.
    package var occurred: [(labels: [Sample.Label], instrument: Measure)] {
        table.entries.map { ($0.labels, downcast($0.instrument)) }
    }

    /// The table is private and contains only what `make` created; a checked cast would cost more than the lookup.
    private func downcast(_ instrument: any Instrument) -> Measure { unsafeDowncast(instrument, to: Measure.self) }
}

extension Labelled where Labels: CaseIterable {
    /// Creates the instrument of every set of labels, at zero: a series that appears with its first event has no rate for that event.
    package func showAll() {
        for labels in Labels.allCases { _ = self[labels] }
    }
}

/// The instruments of one family, by the number of their labels, created on first use.
///
/// A lookup in these tables takes no lock and no hashing. The table is not generic, so that a lookup is plain code
/// even if `Labelled` is used in another module, whose generics the compiler does not specialise.
final class InstrumentTable: Sendable {
    /// An instrument and its labels.
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

    /// The instrument at a place; if two are created at the same time, one of them is kept.
    func instrument(at place: Int, make: () -> Entry) -> any Instrument {
        let (table, row, column) = Self.position(of: place)
        return tables[table].element(at: row) { Row() }.element(at: column, make: make).instrument
    }

    /// The instruments created so far, ordered by place.
    var entries: [Entry] { tables.flatMap { table in table.existing.flatMap(\.existing) } }

    private static func position(of place: Int) -> (table: Int, row: Int, column: Int) {
        let (row, column) = place.quotientAndRemainder(dividingBy: Row.count)
        let (table, rowInTable) = row.quotientAndRemainder(dividingBy: Table.count)
        return (table, rowInTable, column)
    }
}

/// Places for objects that are created on first use, without a lock; if two are created at the same time, one of them is kept.
final class LazyPlaces<Element: AnyObject & Sendable>: Sendable {
    static var count: Int { 32 }

    private let places = InlineArray<32, AtomicLazyReference<Element>> { _ in AtomicLazyReference() }

    /// The object at a place, if there is one.
    func existing(at place: Int) -> Element? { places[place].load() }

    /// The objects created so far, ordered by place.
    var existing: [Element] { places.indices.compactMap { places[$0].load() } }

    func element(at place: Int, make: () -> Element) -> Element {
        places[place].load() ?? places[place].storeIfNil(make())
    }
}
