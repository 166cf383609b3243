import BookstrackContract

/// What a start request may hold (http-api.md "Validation"). Texts are counted in characters, as `TextLimit` does.
struct BatchLimits {
    /// `BOOKSTRACK_MAX_BATCH_BOOKS`
    var books = 10_000
    /// Most books of a start by a shipped app, which knows of no larger batch (http-api.md "Starting a job").
    private var booksOfApps = 100
    /// Fewest characters of the identifier that a client gives its job.
    var shortestJobID = JobID.shortestNew
    var title = BookQuery.titleLimit.characters
    var author = BookQuery.authorLimit.characters
    var isbn = BookQuery.isbnLimit.characters

    /// The limits of a start by one of the shipped apps, or by any other client.
    func limits(ofShippedApp isShippedApp: Bool) -> BatchLimits {
        guard isShippedApp else { return self }
        var limits = self
        limits.books = min(books, booksOfApps)
        return limits
    }
}
