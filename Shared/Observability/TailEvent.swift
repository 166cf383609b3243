import HTTPTypes
package import Logging

/// An event as it crosses to a follower: the shape of `wrangler tail --format json`, with what these services add (command-line.md "tail").
package struct TailEvent: Codable, Sendable, Equatable {
    /// What it is about.
    package var kind: TailKind
    /// How it ended.
    package var outcome: TailOutcome
    /// When it began, in milliseconds since 1970.
    package var eventTimestamp: Int64
    /// How long it took, in milliseconds; absent for what is a moment.
    package var durationMs: Double?
    /// What the client calls its request, else the trace identifier; absent for what belongs to none.
    package var requestId: String?
    /// The trace identifier of W3C Trace Context.
    package var traceId: String?
    /// The job that it is about; absent when there is none.
    package var jobId: String?
    /// What it is about; absent for a line alone.
    package var event: Subject?
    /// What was logged meanwhile, in its order.
    package var logs: [Line]
    /// What it failed with, in its order.
    package var exceptions: [Exception]
    /// How many lines and exceptions were not kept; absent when all were.
    package var droppedNotes: Int?

    /// One of the members is there.
    package struct Subject: Codable, Sendable, Equatable {
        /// An HTTP request.
        package var request: Request?
        /// Its answer; absent when the client left before.
        package var response: Response?
        /// A call that the service answered.
        package var rpc: Call?
        /// A step of a job.
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
        /// By lower-case name; values of secret fields are `REDACTED`.
        package var headers: [String: String]
        /// The client's address.
        package var address: String?

        package init(method: String, url: String, headers: [String: String], address: String?) {
            self.method = method
            self.url = url
            self.headers = headers
            self.address = address
        }
    }

    /// The answer to an HTTP request.
    package struct Response: Codable, Sendable, Equatable {
        /// The HTTP status.
        package var status: Int

        package init(status: Int) { self.status = status }
    }

    /// A call between the processes.
    package struct Call: Codable, Sendable, Equatable {
        /// The method, as the caller named it.
        package var method: String
        /// The caller's process.
        package var peerPid: Int32
        /// The code of its refusal; absent when it succeeded.
        package var code: String?

        package init(method: String, peerPid: Int32, code: String?) {
            self.method = method
            self.peerPid = peerPid
            self.code = code
        }
    }

    /// A step of a job.
    package struct Step: Codable, Sendable, Equatable {
        /// Which one.
        package var step: TailSubject.Step.Name
        /// The item's place in the job, from 0, where the step is about one.
        package var index: Int?
        /// What came out of it, in a word: an item's state, a close code.
        package var result: String?
        /// Why it failed: a code of the contract.
        package var code: String?

        package init(step: TailSubject.Step.Name, index: Int?, result: String?, code: String?) {
            self.step = step
            self.index = index
            self.result = result
            self.code = code
        }
    }

    /// A line of the log.
    package struct Line: Codable, Sendable, Equatable {
        /// Milliseconds since 1970.
        package var timestamp: Int64
        /// Severity.
        package var level: Logger.Level
        /// The message, without its metadata.
        package var message: String
        /// Values as text, by name.
        package var metadata: [String: String]?

        package init(timestamp: Int64, level: Logger.Level, message: String, metadata: [String: String]?) {
            self.timestamp = timestamp
            self.level = level
            self.message = message
            self.metadata = metadata
        }
    }

    /// An error that is no part of a protocol.
    package struct Exception: Codable, Sendable, Equatable {
        /// Milliseconds since 1970.
        package var timestamp: Int64
        /// The error's type.
        package var name: String
        /// What it says of itself.
        package var message: String

        package init(timestamp: Int64, name: String, message: String) {
            self.timestamp = timestamp
            self.name = name
            self.message = message
        }
    }
}

/// What an event of a tail is about (command-line.md "tail").
package enum TailKind: String, Codable, Sendable, CaseIterable {
    /// An HTTP request, at api-proxy.
    case request
    /// An RPC call, at the service that answered it.
    case rpc
    /// A step of a job.
    case job
    /// A line that was logged outside of all those.
    case log
}

/// How what an event is about ended (command-line.md "tail").
package enum TailOutcome: String, Codable, Sendable, CaseIterable {
    /// Everything else, refused requests included.
    case ok
    /// A status from 500 on, or an exception.
    case error
    /// The client left before the answer.
    case canceled
}

extension TailEvent {
    /// An entry without what is secret.
    ///
    /// - Parameter level: Minimum level of the lines that are shown; nil shows all.
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
