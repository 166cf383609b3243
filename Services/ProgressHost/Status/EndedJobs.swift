import SuiteMethods

/// The jobs that ended last, for operators; a view that starts empty with the process.
struct EndedJobs {
    private static let limit = 10

    /// Newest first.
    private(set) var newest: [JobFigure] = []

    mutating func add(_ job: JobFigure) {
        newest.insert(job, at: 0)
        if newest.count > Self.limit { newest.removeLast() }
    }
}
