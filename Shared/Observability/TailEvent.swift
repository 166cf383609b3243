import HTTPTypes
package import Logging

/// An event as sent to a follower: the format of `wrangler tail --format json`, with additions (command-line.md "tail").
package struct TailEvent: Codable, Sendable, Equatable {
    /// The kind of event.
    package var kind: TailKind
    /// The outcome.
    package var outcome: TailOutcome
    /// Start time, in milliseconds since 1970.
    package var eventTimestamp: Int64
    /// Duration in milliseconds; absent if the event has none.
    package var durationMs: Double?
    /// The client's request identifier, otherwise the trace identifier; absent if the event has no trace.
    package var requestId: String?
    /// The trace identifier of W3C Trace Context; absent if the event has no trace.
    package var traceId: String?
    /// The job's identifier; absent if there is none.
    package var jobId: String?
    /// The subject; absent for a single log line.
    package var event: Subject?
    /// The messages logged during the event, in order, from the follower's minimum level on.
    package var logs: [Line]
    /// The errors, in order.
    package var exceptions: [Exception]
    /// Number of lines and exceptions that were not recorded; absent if none.
    package var droppedNotes: Int?

    /// The subject: an HTTP request with its response, a call, or a step of a job.
    package struct Subject: Codable, Sendable, Equatable {
        /// An HTTP request; absent for other events.
        package var request: Request?
        /// The response; absent if the request ended without one.
        package var response: Response?
        /// A call to the service; absent for other events.
        package var rpc: Call?
        /// A step of a job; absent for other events.
        package var job: Step?

        package init(request: Request? = nil, response: Response? = nil, rpc: Call? = nil, job: Step? = nil) {
            self.request = request
            self.response = response
            self.rpc = rpc
            self.job = job
        }
    }

    /// An HTTP request.
    package struct Request: Codable, Sendable, Equatable {
        /// The HTTP method.
        package var method: String
        /// Path and query; values of secret parameters are `REDACTED`.
        package var url: String
        /// Header fields by lower-case name; values of secret fields are `REDACTED`.
        package var headers: [String: String]
        /// The client's address; absent if it is unknown.
        package var address: String?

        package init(method: String, url: String, headers: [String: String], address: String?) {
            self.method = method
            self.url = url
            self.headers = headers
            self.address = address
        }
    }

    /// The response to an HTTP request.
    package struct Response: Codable, Sendable, Equatable {
        /// The HTTP status.
        package var status: Int

        package init(status: Int) { self.status = status }
    }

    /// A call between the processes.
    package struct Call: Codable, Sendable, Equatable {
        /// The method name as sent by the caller.
        package var method: String
        /// Process identifier of the caller.
        package var peerPid: Int32
        /// The error code; absent on success.
        package var code: String?

        package init(method: String, peerPid: Int32, code: String?) {
            self.method = method
            self.peerPid = peerPid
            self.code = code
        }
    }

    /// A step of a job.
    package struct Step: Codable, Sendable, Equatable {
        /// The step.
        package var step: TailSubject.Step.Name
        /// The index of the item or photo in the job, if the step is about one.
        package var index: Int?
        /// The result in a few words, if there is one, for example an item's state, a close code, a file's format, or a number of items or bytes.
        package var result: String?
        /// The contract's error code or, for a webhook, a word such as `status_503`, if the step failed for a known reason.
        package var code: String?

        package init(step: TailSubject.Step.Name, index: Int?, result: String?, code: String?) {
            self.step = step
            self.index = index
            self.result = result
            self.code = code
        }
    }

    /// A log line.
    package struct Line: Codable, Sendable, Equatable {
        /// Milliseconds since 1970.
        package var timestamp: Int64
        /// Severity.
        package var level: Logger.Level
        /// The message, without its metadata.
        package var message: String
        /// Metadata values as text, by name; absent if there are none.
        package var metadata: [String: String]?

        package init(timestamp: Int64, level: Logger.Level, message: String, metadata: [String: String]?) {
            self.timestamp = timestamp
            self.level = level
            self.message = message
            self.metadata = metadata
        }
    }

    /// An error recorded with the event, such as a failed dependency.
    package struct Exception: Codable, Sendable, Equatable {
        /// Milliseconds since 1970.
        package var timestamp: Int64
        /// The error's type.
        package var name: String
        /// The error's description.
        package var message: String

        package init(timestamp: Int64, name: String, message: String) {
            self.timestamp = timestamp
            self.name = name
            self.message = message
        }
    }
}

/// The kind of an event (command-line.md "tail").
package enum TailKind: String, Codable, Sendable, CaseIterable {
    /// An HTTP request to api-proxy.
    case request
    /// An RPC call to a service.
    case rpc
    /// A step of a job.
    case job
    /// A log line that does not belong to a request, a call or a step.
    case log
}

/// The outcome of an event (command-line.md "tail").
package enum TailOutcome: String, Codable, Sendable, CaseIterable {
    /// Neither an error nor canceled; refused requests are included.
    case ok
    /// A status of 500 or more, an error code with such a status, or an exception; for an event that is itself a log line, level error or above.
    case error
    /// The caller disconnected before the response, or the work was cancelled.
    case canceled
}

extension TailEvent {
    /// Creates the event for an entry, without secrets.
    ///
    /// - Parameter level: Minimum level of the lines; nil for all.
    package init(_ entry: TailEntry, level: Logger.Level? = nil) {
        kind = entry.kind
        outcome = entry.outcome
        eventTimestamp = entry.time
        durationMs = entry.duration.map { ($0 / .microseconds(1)).rounded() / 1_000 }
        requestId = entry.trace?.requestID
        traceId = entry.trace?.traceID
        jobId = entry.jobID
        event = Subject(entry.subject)
        logs = entry.lines.filter { line in level.map { line.level >= $0 } ?? true }.map(Line.init)
        let noted = entry.activity?.noted
        exceptions =
            noted?.exceptions.map { .init(timestamp: $0.time, name: $0.name, message: Redaction.text($0.message)) }
            ?? []
        droppedNotes = noted.flatMap { $0.dropped == 0 ? nil : $0.dropped }
    }
}

extension TailEvent.Subject {
    fileprivate init?(_ subject: TailSubject) {
        switch subject {
        case .request(let request):
            self.init(request: .init(request), response: request.status.map(TailEvent.Response.init))
        case .rpc(let call): self.init(rpc: .init(method: call.method, peerPid: call.peerPID, code: call.code))
        case .job(let step):
            self.init(job: .init(step: step.name, index: step.index, result: step.result, code: step.code))
        case .log: return nil
        }
    }
}

extension TailEvent.Request {
    fileprivate init(_ request: TailSubject.Request) {
        let headers = Dictionary(
            request.fields().map { ($0.name.canonicalName, Redaction.value(ofField: $0.name.canonicalName, $0.value)) },
            uniquingKeysWith: { "\($0), \($1)" })
        self.init(
            method: request.method, url: Redaction.text(request.target), headers: headers, address: request.address())
    }
}

extension TailEvent.Line {
    fileprivate init(_ line: LoggedLine) {
        self.init(
            timestamp: line.time, level: line.level, message: line.message,
            metadata: line.metadata.isEmpty ? nil : line.metadata.mapValues { "\($0)" })
    }
}
