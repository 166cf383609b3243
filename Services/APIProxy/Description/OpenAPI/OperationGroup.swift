/// Headings under which operations are listed.
enum OperationGroup: String, CaseIterable {
    case search = "Search"
    case batches = "Batches"
    case jobs = "Jobs"
    case progress = "Progress socket"
    case service = "Service"
    case deprecated = "Deprecated"

    /// What the group is for.
    var meaning: String {
        switch self {
        case .search: "Look books up by ISBN, title or author."
        case .batches: "Enrich up to a hundred books in the background and read the results."
        case .jobs: "Follow, cancel and retry jobs. These operations need the job's token."
        case .progress: "Live progress of a job over a WebSocket; its messages are described in /asyncapi.json."
        case .service: "Health, and the descriptions of this API."
        case .deprecated: "Kept for shipped clients until the date in their Sunset field."
        }
    }
}
