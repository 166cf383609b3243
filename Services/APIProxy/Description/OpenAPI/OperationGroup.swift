/// Headings under which operations are listed, in the order in which a newcomer needs them.
enum OperationGroup: String, CaseIterable {
    case batches = "Batches"
    case progress = "Progress socket"
    case jobs = "Jobs"
    case search = "Search"
    case service = "Service"
    case covers = "Covers"
    case deprecated = "Deprecated"

    /// What the group is for.
    var meaning: String {
        switch self {
        case .search: "Look up books by ISBN, title or author."
        case .batches: "Enrich a list of books in the background."
        case .jobs: "Read a job's results and state; cancel and retry it. All but the results need the job's token."
        case .progress: "Live progress of a job over a WebSocket; `/asyncapi.json` describes its messages."
        case .service: "Health, and the descriptions of this API."
        case .covers: "Cover images, through this service."
        case .deprecated: "Kept for older clients until the date in their `Sunset` field."
        }
    }
}
