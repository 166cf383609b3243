/// What a start request may hold (spec/02 "Limits and validation"). Texts are counted in characters, as `TextLimit` does.
struct BatchLimits {
    /// `BOOKSTRACK_MAX_BATCH_BOOKS`.
    var books = 100
    var title = 500
    var author = 300
    var isbn = 32
}
