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
