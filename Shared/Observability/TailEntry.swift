package import HTTPTypes
import Logging

/// Something that happened, as it waits for followers.
package struct TailEntry: Sendable {
    /// When it began, in milliseconds since 1970.
    package var time: Int64
    /// How long it took; nil for what is a moment.
    package var duration: Duration?
    /// How it ended.
    package var outcome: TailOutcome
    /// The trace and the request that it belongs to; nil when there is none.
    package var trace: TraceContext?
    /// The job that it is about; nil when there is none.
    package var jobID: String?
    /// What happened.
    package var subject: TailSubject
    /// What was logged meanwhile; nil where nothing is carried out.
    package var activity: Activity?

    /// The end of an activity, which notes nothing more. Its outcome is `error` when it met an exception, whatever `outcome` says, unless the client left.
    package init(_ subject: TailSubject, of activity: Activity, _ outcome: TailOutcome) {
        time = activity.startedAt
        duration = activity.elapsed
        let noted = activity.end()
        self.outcome = outcome == .ok && !noted.exceptions.isEmpty ? .error : outcome
        trace = activity.trace
        jobID = noted.jobID
        self.subject = subject
        self.activity = activity
    }

    /// A step of a job that is a moment.
    package init(
        _ step: TailSubject.Step, job: String, _ trace: TraceContext?, at time: Int64, _ outcome: TailOutcome = .ok
    ) {
        self.time = time
        self.outcome = outcome
        self.trace = trace
        jobID = job
        subject = .job(step)
    }

    /// A line that belongs to nothing.
    package init(_ line: LoggedLine) {
        time = line.time
        outcome = line.level >= .error ? .error : .ok
        subject = .log(line)
    }

    /// What was logged: the lines of what was carried out, or the entry's own.
    package var lines: [LoggedLine] {
        if case .log(let line) = subject { return [line] }
        return activity?.noted.lines ?? []
    }

    /// Whether it is routine: a health check, a reading of status or metrics, a worker that asked for work, or a tail, that went well. Such
    /// events come every few seconds whatever else happens.
    package var isRoutine: Bool {
        guard outcome == .ok else { return false }
        return switch subject {
        case .rpc(let call): Self.isRoutine(method: call.method)
        case .request(let request):
            Self.routinePaths.contains(String(request.target.prefix { $0 != "?" })) && request.method != "OPTIONS"
        case .job, .log: false
        }
    }

    /// Whether all calls of an RPC method that go well are routine.
    package static func isRoutine(method: String) -> Bool {
        method.hasPrefix("service.") || method.hasPrefix("tail.") || method == "work.claim"
    }

    private static let routinePaths: Set<String> = ["/health", "/health/live", "/health/ready", "/metrics"]

    /// When it was over, in milliseconds since 1970.
    package var endedAt: Int64 { time + Int64((duration ?? .zero) / .milliseconds(1)) }

    /// The kind of its subject.
    package var kind: TailKind {
        switch subject {
        case .request: .request
        case .rpc: .rpc
        case .job: .job
        case .log: .log
        }
    }
}

/// What an entry of the tail is about, as it was when it happened: nothing is turned into text before there is a follower.
package enum TailSubject: Sendable {
    case request(Request)
    case rpc(Call)
    case job(Step)
    /// The entry's own line.
    case log(LoggedLine)

    /// An HTTP request and its answer.
    package struct Request: Sendable {
        /// The HTTP method.
        package var method: String
        /// Path and query as the client sent them; secrets are taken out before they are shown.
        package var target: String
        /// The request's header; secrets are taken out before they are shown.
        package var fields: @Sendable () -> HTTPFields
        /// nil when the client left before there was an answer.
        package var status: Int?
        /// Whose request it is: the client's address, behind trusted proxies the forwarded one.
        package var address: @Sendable () -> String?

        package init(
            method: String, target: String, fields: @escaping @Sendable () -> HTTPFields, status: Int?,
            address: @escaping @Sendable () -> String?
        ) {
            self.method = method
            self.target = target
            self.fields = fields
            self.status = status
            self.address = address
        }
    }

    /// A call that this process answered.
    package struct Call: Sendable {
        /// The method, as the caller named it.
        package var method: String
        /// The caller's process.
        package var peerPID: Int32
        /// The error's code when it was refused.
        package var code: String?

        package init(method: String, peerPID: Int32, code: String?) {
            self.method = method
            self.peerPID = peerPID
            self.code = code
        }
    }

    /// A step of a job.
    package struct Step: Sendable {
        /// The names on the wire.
        package enum Name: String, Codable, Sendable, CaseIterable {
            case accepted, started, completed, failed, cancelled
            /// A worker looked an item up.
            case lookedUp = "looked_up"
            /// An item's outcome was stored.
            case recorded
            case socketOpened = "socket_opened"
            case socketClosed = "socket_closed"
        }

        /// Which one.
        package var name: Name
        /// The item's place in the job, from 0, where the step is about one.
        package var index: Int?
        /// What came out of it, in a word: an item's state, a close code.
        package var result: String?
        /// Why it failed: a code of the contract.
        package var code: String?

        package init(_ name: Name, index: Int? = nil, result: String? = nil, code: String? = nil) {
            self.name = name
            self.index = index
            self.result = result
            self.code = code
        }
    }
}
