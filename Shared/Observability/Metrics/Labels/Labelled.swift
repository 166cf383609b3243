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
