import BookIdentifiers
import BookMetadata
import BookstrackContract
import GRDB
import JSONRPC
import SuiteMethods

/// Handles users' reports of missing metadata (http-api.md "Reports"). A reported ISBN is looked up again only if a search or job requested or
/// returned it within the last day: at most once a day, after all other work, and within a small share of the providers' budgets.
struct MetadataReports: Sendable {
    /// One in this many requests in a daily budget may be used for fresh lookups.
    private static let budgetDivisor = 20
    /// Maximum fresh lookups per day if no budget is configured.
    private static let unbudgeted = 200

    let cache: ProviderCache
    let scheduler: QuestionScheduler
    /// Maximum fresh lookups per day.
    let dailyLimit: Int
    let metrics: WorkerMetrics

    /// - Parameter budgets: Daily budgets of the providers that a lookup queries; 0 if a provider has none.
    init(cache: ProviderCache, scheduler: QuestionScheduler, budgets: [Int], metrics: WorkerMetrics) {
        self.cache = cache
        self.scheduler = scheduler
        self.metrics = metrics
        let shares = budgets.filter { $0 > 0 }.map { max(1, $0 / Self.budgetDivisor) }
        dailyLimit = shares.min() ?? Self.unbudgeted
    }

    /// Records a report about a requested ISBN, and has the ISBN looked up again if the rules allow it.
    ///
    /// Throws `RPCApplicationError`, see ``ReportMissingMetadata``, and SQLite's errors.
    func add(_ parameters: ReportMissingMetadata.Parameters) async throws -> ReportReceipt {
        guard let isbn = ISBN(parameters.isbn) else {
            throw RPCApplicationError(
                code: APIErrorCode.invalidISBN.rawValue, message: "isbn must be a valid ISBN-10 or ISBN-13")
        }
        let report = MetadataReport(isbn: isbn, fields: parameters.fields, note: parameters.note)
        let lookup = try await cache.add(report, limit: dailyLimit)
        metrics.reported(lookup)
        if lookup == .scheduled { lookUpAgain(isbn) }
        return ReportReceipt(isbn: isbn.isbn13, fields: parameters.fields, lookup: lookup)
    }

    private func lookUpAgain(_ isbn: ISBN) {
        scheduler.askAgain([.edition(isbn), .workFacts(isbn), .volumes(isbn)])
        if scheduler.hasISBNdb { scheduler.askAgain([.isbndbBook(isbn)]) }
    }
}
