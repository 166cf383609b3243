import ServiceKit
import SuiteMethods

/// Where answers are kept.
enum CacheTier: CaseIterable {
    /// In the order in which they are emptied: while the worker's were full, api-proxy's could fill up from them again.
    case providerAnswers
    case finishedAnswers

    /// The processes that keep it: workers on one data directory share a file, and each has answers in memory that are not written yet.
    func keepers(in directories: SuiteDirectories) -> [ServiceInstance] {
        switch self {
        case .providerAnswers: directories.workers
        case .finishedAnswers: [.apiProxy]
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
