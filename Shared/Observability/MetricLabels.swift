/// The labels of a reading. The number of label sets must be bounded, so a label is never a value chosen by a client.
package protocol MetricLabels: Hashable, Sendable {
    static var names: [String] { get }

    /// The label values, one per name.
    var values: [String] { get }
    /// The position of each label value among the values of its name. Samples are exposed in this order.
    var positions: [Int] { get }
}

extension MetricLabels {
    package var pairs: [Sample.Label] { zip(Self.names, values).map { Sample.Label($0, $1) } }
}

/// A label with a fixed set of values, in declaration order.
package protocol MetricLabel: MetricLabels, CaseIterable, RawRepresentable<String> {
    static var labelName: String { get }
}

extension MetricLabel {
    package static var names: [String] { [labelName] }
    package var values: [String] { [rawValue] }
    package var positions: [Int] { [Self.allCases.prefix { $0 != self }.count] }
}

/// A combination of two label sets.
package struct LabelPair<First: MetricLabels, Second: MetricLabels>: MetricLabels {
    let first: First
    let second: Second

    package init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    package static var names: [String] { First.names + Second.names }
    package var values: [String] { first.values + second.values }
    package var positions: [Int] { first.positions + second.positions }
}

extension LabelPair: CaseIterable where First: CaseIterable, Second: CaseIterable {
    package static var allCases: [LabelPair] {
        First.allCases.flatMap { first in Second.allCases.map { LabelPair(first, $0) } }
    }
}
