/// The labels of a reading: one of a bounded number of label sets, each with its own number. Never anything
/// chosen by a client.
package protocol MetricLabels: Sendable {
    static var names: [String] { get }
    /// The number of different label sets.
    static var placeCount: Int { get }

    /// Its number, from 0 to less than `placeCount`.
    var place: Int { get }
    /// One per name.
    var values: [String] { get }
}

extension MetricLabels {
    package var pairs: [Sample.Label] { zip(Self.names, values).map { Sample.Label($0, $1) } }
}

/// One label with a fixed set of values: an enum without payloads, of at most 256 cases.
package protocol MetricLabel: MetricLabels, CaseIterable, Equatable, RawRepresentable<String> {
    static var labelName: String { get }
}

extension MetricLabel {
    package static var names: [String] { [labelName] }
    package static var placeCount: Int { allCases.count }
    package var values: [String] { [rawValue] }

    /// No search is needed: an enum without payloads is stored as the index of its case in order of declaration, which is also the order of
    /// `allCases` (Swift's ABI, "Enum Layout"; an enum of one case has no storage). Debug builds compare the two.
    package var place: Int {
        let place = withUnsafeBytes(of: self) { Int($0.first ?? 0) }
        assert(Array(Self.allCases)[place] == self, "\(self) is not kept as the number of its case")
        return place
    }
}

/// A combination of two sets of labels.
package struct LabelPair<First: MetricLabels, Second: MetricLabels>: MetricLabels {
    let first: First
    let second: Second

    package init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    package static var names: [String] { First.names + Second.names }
    package static var placeCount: Int { First.placeCount * Second.placeCount }
    package var place: Int { first.place * Second.placeCount + second.place }
    package var values: [String] { first.values + second.values }
}

extension LabelPair: Equatable where First: Equatable, Second: Equatable {}

extension LabelPair: CaseIterable where First: CaseIterable, Second: CaseIterable {
    package static var allCases: [LabelPair] {
        First.allCases.flatMap { first in Second.allCases.map { LabelPair(first, $0) } }
    }
}
