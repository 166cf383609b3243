/// Searches for the ends of markup from front to back of one text, and remembers what does not come any more.
///
/// Without that, a text of openings without ends would be read to its end for each of them.
struct TerminatorSearch {
    private var missing: Set<String> = []

    /// The first occurrence of a terminator in the rest of the text; nil when there is none.
    mutating func first(_ terminator: String, in rest: Substring) -> Range<Substring.Index>? {
        guard !missing.contains(terminator) else { return nil }
        let range = rest.firstOccurrence(of: terminator)
        if range == nil { missing.insert(terminator) }
        return range
    }
}
