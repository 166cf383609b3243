public import NIOConcurrencyHelpers

/// The instruments of one family, one per set of labels in use, created on first use.
///
/// A lookup is one hash and one lock. It is inlinable, so that it is specialised for the labels of the module that counts; unspecialised
/// generic code takes twice as long.
@usableFromInline
package struct Labelled<Labels: Hashable & Sendable, Measure: AnyObject & Sendable>: Sendable {
    @usableFromInline let table = NIOLockedValueBox(InstrumentTable<Labels, Measure>())
    private let make: @Sendable () -> Measure

    /// The instrument of `labels`.
    @inlinable
    package subscript(labels: Labels) -> Measure {
        table.withLockedValue { $0.instruments[labels] } ?? created(labels)
    }

    /// The instrument of `labels`, if they are in use.
    package func existing(_ labels: Labels) -> Measure? { table.withLockedValue { $0.instruments[labels] } }

    /// The instrument of `labels`, created unless another thread has just done so.
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

/// The instruments of one family.
@usableFromInline
struct InstrumentTable<Labels: Hashable & Sendable, Measure: AnyObject & Sendable>: Sendable {
    @usableFromInline var instruments: [Labels: Measure] = [:]
    /// What ``series`` does not contain yet.
    fileprivate var unsorted: [(labels: Labels, instrument: Measure)] = []
    /// Labels as exposed, in the order of their positions; they are computed once, since a family is read at every scrape.
    fileprivate var series: [(positions: [Int], labels: [Sample.Label], instrument: Measure)] = []

    init() {}
}

extension Labelled where Labels: MetricLabels, Measure: Instrument {
    /// - Parameter make: Creates the instrument of a set of labels on first use.
    package init(_ labels: Labels.Type = Labels.self, make: @escaping @Sendable () -> Measure) { self.make = make }

    /// The reading of each set of labels in use, in the order of the labels' positions.
    package var samples: [Sample] {
        table.withLockedValue { table in
            table.sortSeries()
            return table.series.map { Sample(labels: $0.labels, $0.instrument.reading) }
        }
    }
}

extension Labelled where Labels: MetricLabels & CaseIterable, Measure: Instrument {
    /// Creates the instrument of every set of labels, at zero: a series that appears with its first event has no rate for that event.
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
