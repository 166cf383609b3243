import ArgumentParser

/// How events are written.
enum TailFormat: String, ExpressibleByArgument, CaseIterable {
    /// One object per line.
    case json
    /// For people.
    case pretty
}
