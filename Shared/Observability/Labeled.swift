public import NIOConcurrencyHelpers

/// The instruments of one family, one per set of labels in use, created on first use.
///
/// A lookup costs one hash and one lock. The code is inlinable so that the compiler can specialize it for the label types of the calling module;
/// unspecialized generic code takes twice as long.
@usableFromInline
package struct Labeled<Labels: Hashable & Sendable, Measure: AnyObject & Sendable>: Sendable {
    @usableFromInline let table = NIOLockedValueBox(InstrumentTable<Labels, Measure>())
    private let make: @Sendable () -> Measure

    /// The instrument for `labels`.
    @inlinable
    package subscript(labels: Labels) -> Measure {
        table.withLockedValue { $0.instruments[labels] } ?? created(labels)
    }

    /// The instrument for `labels`, if they are in use.
    package func existing(_ labels: Labels) -> Measure? { table.withLockedValue { $0.instruments[labels] } }

    /// The instrument for `labels`; creates it unless another thread has just done so.
    @usableFromInline
    func created(_ labels: Labels) -> Measure {
        table.withLockedValue { table in
            if let instrument = table.instruments[labels] { return instrument }
            let instrument = make()
            table.instruments[labels] = instrument
            table.unsorted.append((labels, instrument))
            return instrument
        }
    }
}

/// The state of a ``Labeled``, guarded by its lock.
@usableFromInline
struct InstrumentTable<Labels: Hashable & Sendable, Measure: AnyObject & Sendable>: Sendable {
    @usableFromInline var instruments: [Labels: Measure] = [:]
    /// Series that ``series`` does not contain yet.
    fileprivate var unsorted: [(labels: Labels, instrument: Measure)] = []
    /// The series in the order of their positions, with their exposed labels. The labels are computed only once, because a family is read at every
    /// scrape.
    fileprivate var series: [(positions: [Int], labels: [Sample.Label], instrument: Measure)] = []

    init() {}
}

extension Labeled where Labels: MetricLabels, Measure: Instrument {
    /// - Parameter make: Creates the instrument for a set of labels on first use.
    package init(_ labels: Labels.Type = Labels.self, make: @escaping @Sendable () -> Measure) { self.make = make }

    /// The readings of all label sets in use, in the order of their positions.
    package var samples: [Sample] {
        table.withLockedValue { table in
            table.sortSeries()
            return table.series.map { Sample(labels: $0.labels, $0.instrument.reading) }
        }
    }
}

extension Labeled where Labels: MetricLabels & CaseIterable, Measure: Instrument {
    /// Creates the instruments for all label sets, at zero: if a series first appears with its first event, no rate can be calculated for that event.
    package func showAll() {
        for labels in Labels.allCases { _ = self[labels] }
    }
}

extension InstrumentTable where Labels: MetricLabels {
    fileprivate mutating func sortSeries() {
        guard !unsorted.isEmpty else { return }
        series += unsorted.map { ($0.labels.positions, $0.labels.pairs, $0.instrument) }
        series.sort { $0.positions.lexicographicallyPrecedes($1.positions) }
        unsorted = []
    }
}
