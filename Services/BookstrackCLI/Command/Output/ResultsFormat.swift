import ArgumentParser

/// How results are printed.
enum ResultsFormat: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
    case csv
}
