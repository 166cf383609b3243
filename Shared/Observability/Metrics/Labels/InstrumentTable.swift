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
