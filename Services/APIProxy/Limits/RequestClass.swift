/// What kind of request a route takes, as far as limits tell them apart (spec/02 "Rate limits", spec/07 "Rate-limit exemptions").
enum RequestClass: String, Sendable, CaseIterable {
    /// Not counted: health and the progress socket, which has limits of its own.
    case exempt
    /// Whatever is no other class, unknown paths included.
    case ordinary
    case search
    /// Starts of batch enrichments.
    case start
    /// A job's state and results.
    case jobReading = "job_reading"
}
