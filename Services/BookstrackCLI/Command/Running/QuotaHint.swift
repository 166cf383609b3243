/// What to do when a provider takes no more requests.
enum QuotaHint {
    static let text = "wait, or raise the quota with BOOKSTRACK_GOOGLE_BOOKS_API_KEY"
}
