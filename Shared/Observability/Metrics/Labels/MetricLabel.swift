/// One label whose values are all known in the source: an enum without payloads, of at most 256 cases.
package protocol MetricLabel: MetricLabels, CaseIterable, Equatable, RawRepresentable<String> {
    static var labelName: String { get }
}

extension MetricLabel {
    package static var names: [String] { [labelName] }
    package static var placeCount: Int { allCases.count }
    package var values: [String] { [rawValue] }

    /// Nothing has to be searched: an enum without payloads is kept as the number of its case in the order of declaration, the order of
    /// `allCases` too (Swift's ABI, "Enum Layout"; an enum of one case is kept as nothing). Debug builds compare the two.
    package var place: Int {
        let place = withUnsafeBytes(of: self) { Int($0.first ?? 0) }
        assert(Array(Self.allCases)[place] == self, "\(self) is not kept as the number of its case")
        return place
    }
}
