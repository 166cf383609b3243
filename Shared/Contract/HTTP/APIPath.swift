/// The paths that answers and frames point at, in one place.
public enum APIPath {
    /// Where a batch enrichment's results are read.
    public static func results(_ job: JobID) -> String { "/v1/enrichment/results/\(job)" }

    /// Where a job's progress is watched; the token is not part of it.
    public static func websocket(_ job: JobID) -> String { "/ws/progress?jobId=\(job)" }

    /// Where a job's state is read.
    public static func job(_ job: JobID) -> String { "/v1/jobs/\(job)" }
}
