import ArgumentParser
import Observability

/// `NAME` or `NAME:TEXT` after `--header`.
struct HeaderCriterion: ExpressibleByArgument, Equatable {
    let header: TailFilter.Header

    /// Characters of a field's name besides letters and digits (RFC 9110 §5.6.2).
    private static let marks = Set("!#$%&'*+-.^_`|~")

    /// nil when the name is none.
    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || Self.marks.contains($0) })
        else { return nil }
        let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
        header = TailFilter.Header(name: name, value: value.isEmpty ? nil : String(value))
    }
}
