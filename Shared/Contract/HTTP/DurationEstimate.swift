/// How long a batch of books is expected to take with the documented politeness to the providers.
public struct DurationEstimate: Sendable, Equatable {
    /// Expected milliseconds.
    public let milliseconds: Int

    /// One second for the first books and about one more per 25, the pace of Open Library's ISBN batches at 3 requests/s
    /// with two requests per 25 books (metadata.md "Lookup", http-api.md "Starting a job").
    public init(books: Int) {
        milliseconds = 1_000 * (1 + (books + 24) / 25)
    }

    /// A range in words, from half to two and a half times the expectation: "1-5s", "2-7min".
    public var text: String {
        let low = max(1, milliseconds / 2_000)
        let high = max(low + 1, milliseconds / 400)
        return high < 120 ? "\(low)-\(high)s" : "\(max(1, low / 60))-\((high + 59) / 60)min"
    }
}
