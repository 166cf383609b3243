package import HTTPTypes
import Logging

/// An event as stored for followers.
package struct TailEntry: Sendable {
    /// Start time, in milliseconds since 1970.
    package var time: Int64
    /// Duration; nil if the event has none.
    package var duration: Duration?
    /// The outcome.
    package var outcome: TailOutcome
    /// The trace and request identifiers of the event; nil if there are none.
    package var trace: TraceContext?
    /// The event's job; nil if there is none.
    package var jobID: String?
    /// The event itself.
    package var subject: TailSubject
    /// The activity with the messages logged during the event; nil for a single log line, and for a job step without a duration.
    package var activity: Activity?

    /// Ends an activity and creates its entry. An exception turns the outcome `ok` into `error`.
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

    /// A job step that has no duration.
    ///
    /// - Parameter job: nil for an upload that has no job.
    package init(
        _ step: TailSubject.Step, job: String?, _ trace: TraceContext?, at time: Int64, _ outcome: TailOutcome = .ok
    ) {
        self.time = time
        self.outcome = outcome
        self.trace = trace
        jobID = job
        subject = .job(step)
    }

    /// A log line outside any activity.
    package init(_ line: LoggedLine) {
        time = line.time
        outcome = line.level >= .error ? .error : .ok
        subject = .log(line)
    }

    /// The activity's log lines, or the entry's own.
    package var lines: [LoggedLine] {
        if case .log(let line) = subject { return [line] }
        return activity?.noted.lines ?? []
    }

    /// Whether this is a successful routine event, for example a health check, a status or metrics read, a worker's claim, a tail, or a request from
    /// the console. Such events occur every few seconds regardless of load.
    package var isRoutine: Bool {
        guard outcome == .ok else { return false }
        return switch subject {
        case .rpc(let call): Self.isRoutine(method: call.method)
        case .request(let request):
            Self.isRoutine(path: request.target.utf8.prefix { $0 != UInt8(ascii: "?") }) && request.method != "OPTIONS"
        case .job, .log: false
        }
    }

    /// Whether all successful calls of an RPC method are routine.
    package static func isRoutine(method: String) -> Bool {
        method.hasPrefix("service.") || method.hasPrefix("tail.") || method.hasSuffix(".claim")
            || consoleMethods.contains(method)
    }

    /// Whether a path is requested regularly, for example by the console's page.
    private static func isRoutine(path: Substring.UTF8View) -> Bool {
        routinePaths.contains { path.elementsEqual($0.utf8) } || path.starts(with: "/console/".utf8)
    }

    /// The methods that the console's page calls every few seconds.
    private static let consoleMethods: Set<String> = [
        "jobs.list", "jobs.detail", "jobs.items", "jobs.failures", "audit.list",
    ]

    private static let routinePaths = ["/health", "/health/live", "/health/ready", "/metrics"]

    /// End time, in milliseconds since 1970.
    package var endedAt: Int64 { time + Int64((duration ?? .zero) / .milliseconds(1)) }

    /// The kind of event.
    package var kind: TailKind {
        switch subject {
        case .request: .request
        case .rpc: .rpc
        case .job: .job
        case .log: .log
        }
    }
}

/// The subject of an entry, in its original form: nothing is formatted until there is a follower.
package enum TailSubject: Sendable {
    case request(Request)
    case rpc(Call)
    case job(Step)
    /// The entry's own line.
    case log(LoggedLine)

    /// An HTTP request and its response.
    package struct Request: Sendable {
        /// The HTTP method.
        package var method: String
        /// Path and query from the client; secrets in them are removed before display.
        package var target: String
        /// The request's header; secrets in it are removed before display.
        package var fields: @Sendable () -> HTTPFields
        /// The HTTP status; nil if the request ended before a response was ready.
        package var status: Int?
        /// The client's address or, behind trusted proxies, the forwarded address; nil if it is unknown.
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

    /// A call to this process.
    package struct Call: Sendable {
        /// The method name as sent by the caller.
        package var method: String
        /// Process identifier of the caller.
        package var peerPID: Int32
        /// The error's code, if the call failed.
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
            /// A worker looked up an item.
            case lookedUp = "looked_up"
            /// The outcome of an item or a photo was recorded. If the result is `retry`, the item failed and will be tried again.
            case recorded
            case socketOpened = "socket_opened"
            case socketClosed = "socket_closed"
            case streamOpened = "stream_opened"
            case streamClosed = "stream_closed"
            /// A file was uploaded, and its request succeeded.
            case uploadAccepted = "upload_accepted"
            /// An upload was refused or not completed.
            case uploadRefused = "upload_refused"
            /// A worker has begun to read a file.
            case readingStarted = "reading_started"
            case readingFinished = "reading_finished"
            /// The file cannot be imported, or the worker has stopped reading it.
            case readingFailed = "reading_failed"
            /// A photo was read.
            case photoRead = "photo_read"
            /// A photo could not be read.
            case photoFailed = "photo_failed"
            /// Follow-ups or retries after the end of the job have improved the results.
            case resultsUpdated = "results_updated"
            /// The job's webhook was delivered successfully.
            case webhookDelivered = "webhook_delivered"
            /// An attempt to deliver the job's webhook failed.
            case webhookFailed = "webhook_failed"
            /// A linked job has received all of its items, and its work has begun.
            case submitted
        }

        /// The step.
        package var name: Name
        /// The index of the item or photo in the job, if the step is about one.
        package var index: Int?
        /// The result in a few words, if there is one, for example an item's state, a close code, a file's format, or a number of items or bytes.
        package var result: String?
        /// The contract's error code or, for a webhook, a word such as `status_503`, if the step failed for a known reason.
        package var code: String?

        package init(_ name: Name, index: Int? = nil, result: String? = nil, code: String? = nil) {
            self.name = name
            self.index = index
            self.result = result
            self.code = code
        }
    }
}
