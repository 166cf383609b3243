import SuiteMethods

/// A service that keeps answers.
enum CacheTier: CaseIterable {
    /// In the order in which they are emptied: while the worker's were full, api-proxy's could fill up from them again.
    case providerAnswers
    case finishedAnswers

    var service: ServiceName {
        switch self {
        case .providerAnswers: .enrichmentWorker
        case .finishedAnswers: .apiProxy
        }
    }

    /// What it keeps, and where.
    var content: String {
        switch self {
        case .providerAnswers: "answers of providers, on disk"
        case .finishedAnswers: "finished answers, in memory"
        }
    }
}
