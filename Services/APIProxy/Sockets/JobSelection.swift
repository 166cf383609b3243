import BookstrackContract
import NIOHTTP1
import SuiteMethods

/// The jobs that one event stream is to carry (streams.md "Many jobs on one stream").
struct JobSelection: Equatable {
    /// A job with its token, and how far the client has come with it.
    struct Job: Equatable {
        var jobId: JobID
        /// Nil if the client named none.
        var token: String?
        /// `seq` of the last event that the client has.
        var since: Int?
    }

    /// Maximum number of jobs in a query.
    static let queryLimit = 20
    /// Maximum length of a target with jobs, in bytes.
    static let targetLimit = 8 << 10

    private(set) var jobs: [Job] = []

    /// Reads `job=ID:TOKEN` items, and `Last-Event-ID` or `since` in the form of ``position(_:)``. Places in jobs that are not selected are
    /// ignored: a client may have taken a job off its list.
    ///
    /// Throws 400 for what cannot be read, a job named twice, none, or too many.
    init(_ head: HTTPRequestHead) throws(APIFailure) {
        guard head.uri.utf8.count <= Self.targetLimit else {
            throw .invalid("job", "must not make the target longer than \(Self.targetLimit) bytes")
        }
        let query = QueryItems(uri: head.uri)
        let items = query.values(of: "job", atMost: Self.queryLimit + 1)
        guard (1...Self.queryLimit).contains(items.count) else {
            throw .invalid("job", "must name 1 to \(Self.queryLimit) jobs, each as ID:TOKEN")
        }
        var places: [JobID: Int] = [:]
        if let text = head.headers["Last-Event-ID"].first, !text.isEmpty {
            places = try Self.places(text, of: "Last-Event-ID")
        } else if let text = query["since"] {
            places = try Self.places(text, of: "since")
        }
        for item in items {
            let parts = item.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let jobId = JobID(String(parts[0])) else { throw .invalid("job", JobID.rule()) }
            guard !jobs.contains(where: { $0.jobId == jobId }) else { throw .invalid("job", "must name each job once") }
            jobs.append(Job(jobId: jobId, token: parts.count > 1 ? String(parts[1]) : nil, since: places[jobId]))
        }
    }

    private static func places(_ text: String, of name: String) throws(APIFailure) -> [JobID: Int] {
        var places: [JobID: Int] = [:]
        for item in text.split(separator: ",") {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let jobId = JobID(String(parts[0])), let seq = Int(parts[1]), seq >= 0 else {
                throw .invalid(name, "must be a list of ID=SEQ")
            }
            places[jobId] = seq
        }
        return places
    }

    /// How far a stream has come: `ID=SEQ,ID=SEQ`, for the jobs that have begun.
    static func position(_ places: some Sequence<(jobId: JobID, seq: Int?)>) -> String {
        places.compactMap { place in place.seq.map { "\(place.jobId)=\($0)" } }.joined(separator: ",")
    }
}
