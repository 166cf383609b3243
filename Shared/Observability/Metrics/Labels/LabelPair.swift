/// Two sets of labels together.
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
