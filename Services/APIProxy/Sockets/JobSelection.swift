import BookstrackContract
import JSON
import NIOHTTP1
import SuiteMethods

/// The jobs that a connection is to carry (streams.md "Many jobs on one stream").
struct JobSelection: Equatable {
    /// A job with its token and the client's position in it.
    struct Job: Equatable {
        var jobId: JobID
        /// The job's token; nil if the client sent none.
        var token: String?
        /// `seq` of the last event that the client has received; nil if it sent none.
        var since: Int?

        /// The request to progress-host. A missing token takes the same path as a wrong one, so that timing reveals nothing.
        var socketRequest: SocketRequest {
            SocketRequest(jobId: jobId, token: token ?? "", reconnect: false, since: since, v1: false, isOneWay: true)
        }
    }

    /// Maximum number of jobs in a query.
    static let queryLimit = 20
    /// Maximum length of a request target with jobs, in bytes.
    static let targetLimit = 8 << 10
    /// Maximum number of jobs in a body or message, and on one WebSocket.
    static let listLimit = 100

    private(set) var jobs: [Job]

    /// Reads the query's `job=ID:TOKEN` items, and `Last-Event-ID` or `since` in the form of ``position(_:)``. Positions in jobs that are not
    /// selected are ignored: a client may have removed a job from its list.
    ///
    /// Throws 400 for an invalid query or `Last-Event-ID`, for example if a job is listed twice.
    init(query head: HTTPRequestHead) throws(APIFailure) {
        guard head.uri.utf8.count <= Self.targetLimit else {
            throw .invalid("job", "must not make the request target longer than \(Self.targetLimit) bytes")
        }
        let query = QueryItems(uri: head.uri)
        // `follow` has no effect here, but an invalid value is refused on every stream.
        _ = try query.followsResults()
        let items = query.values(of: "job", atMost: Self.queryLimit + 1)
        guard (1...Self.queryLimit).contains(items.count) else {
            throw .invalid("job", "must list 1 to \(Self.queryLimit) jobs, each as ID:TOKEN")
        }
        jobs = []
        for item in items {
            let parts = item.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let jobId = JobID(String(parts[0])) else { throw .invalid("job", JobID.rule()) }
            guard !jobs.contains(where: { $0.jobId == jobId }) else {
                throw .invalid("job", "must list each job only once")
            }
            jobs.append(Job(jobId: jobId, token: parts.count > 1 ? String(parts[1]) : nil))
        }
        if let places = try Self.lastEvents(head) {
            place(places)
        } else if let text = query["since"] {
            place(try Self.places(text, of: "since"))
        }
    }

    /// Reads `{jobs: [{jobId, token?, since?}]}`, and `Last-Event-ID`, which takes precedence over `since`.
    ///
    /// Throws 400 for an invalid body or `Last-Event-ID`.
    init(body: [UInt8], _ head: HTTPRequestHead) throws(APIFailure) {
        var jobs: [Job]?
        do {
            try JSONReader.readBody(body) { reader, key in
                if key == "jobs" { jobs = try reader.readJobs(at: key) } else { try reader.skipValue() }
            }
        } catch {
            throw APIFailure(answering: error) ?? .internalError
        }
        guard let jobs else { throw .invalid("jobs", "is missing") }
        self.jobs = jobs
        if let places = try Self.lastEvents(head) { place(places) }
    }

    private mutating func place(_ places: [JobID: Int]) {
        for index in jobs.indices { jobs[index].since = places[jobs[index].jobId] ?? jobs[index].since }
    }

    private static func lastEvents(_ head: HTTPRequestHead) throws(APIFailure) -> [JobID: Int]? {
        guard let text = head.headers["Last-Event-ID"].first, !text.isEmpty else { return nil }
        return try places(text, of: "Last-Event-ID")
    }

    private static func places(_ text: String, of name: String) throws(APIFailure) -> [JobID: Int] {
        var places: [JobID: Int] = [:]
        for item in text.split(separator: ",") {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let jobId = JobID(String(parts[0])), let seq = Int(parts[1]), seq >= 0 else {
                throw .invalid(name, "must be a comma-separated list of ID=SEQ")
            }
            places[jobId] = seq
        }
        return places
    }

    /// The position of a stream, `ID=SEQ,ID=SEQ`, without jobs in which the client has no position yet.
    static func position(_ places: some Sequence<(jobId: JobID, seq: Int?)>) -> String {
        places.compactMap { place in place.seq.map { "\(place.jobId)=\($0)" } }.joined(separator: ",")
    }
}

extension JSONReader {
    /// Reads a list of 1 to ``JobSelection/listLimit`` different jobs, `{jobId, token?, since?}` each.
    mutating func readJobs(at place: String) throws -> [JobSelection.Job] {
        guard try peek() == .array else { throw APIFailure.invalid(place, "must be a list") }
        var jobs: [JobSelection.Job] = []
        try readArray { reader in
            guard jobs.count < JobSelection.listLimit else {
                throw APIFailure.invalid(place, "must contain at most \(JobSelection.listLimit) jobs")
            }
            let job = try reader.readJob(at: "\(place)[\(jobs.count)]")
            guard !jobs.contains(where: { $0.jobId == job.jobId }) else {
                throw APIFailure.invalid("\(place)[\(jobs.count)].jobId", "is listed twice")
            }
            jobs.append(job)
        }
        guard !jobs.isEmpty else { throw APIFailure.invalid(place, "must contain at least one job") }
        return jobs
    }

    private mutating func readJob(at place: String) throws -> JobSelection.Job {
        guard try peek() == .object else { throw APIFailure.invalid(place, "must be an object") }
        var jobId: JobID?
        var (token, since): (String?, Int?)
        try readObject { reader, key in
            switch key {
            case "jobId": jobId = try reader.readJobID(at: "\(place).jobId")
            case "token": token = try reader.readText(at: "\(place).token", limit: JobAccessBody.maxTokenLength)
            case "since": since = try reader.readCount(at: "\(place).since")
            default: try reader.skipValue()
            }
        }
        guard let jobId else { throw APIFailure.invalid("\(place).jobId", "is missing") }
        return JobSelection.Job(jobId: jobId, token: token, since: since)
    }
}
