/// One label whose values are all known in the source.
package protocol MetricLabel: MetricLabels, CaseIterable, Equatable, RawRepresentable<String> {
    static var labelName: String { get }
}

extension MetricLabel {
    package static var names: [String] { [labelName] }
    package static var placeCount: Int { allCases.count }
    package var values: [String] { [rawValue] }

    package var place: Int {
        for (place, label) in Self.allCases.enumerated() where label == self { return place }
        return 0
    }
}
