package import Logging

/// An event as it crosses to a follower: the shape of `wrangler tail --format json`, with what these services add (spec/06 "Logs and tail").
package struct TailEvent: Codable, Sendable, Equatable {
    package var kind: TailKind
    package var outcome: TailOutcome
    /// When it began, in milliseconds since 1970.
    package var eventTimestamp: Int64
    /// How long it took, in milliseconds; absent for what is a moment.
    package var durationMs: Double?
    package var requestId: String?
    /// The trace identifier of W3C Trace Context.
    package var traceId: String?
    package var jobId: String?
    /// What it is about; absent for a line alone.
    package var event: Subject?
    package var logs: [Line]
    package var exceptions: [Exception]
    /// How many lines and exceptions were not kept; absent when all were.
    package var droppedNotes: Int?

    /// One of the members is there.
    package struct Subject: Codable, Sendable, Equatable {
        package var request: Request?
        package var response: Response?
        package var rpc: Call?
        package var job: Step?

        package init(request: Request? = nil, response: Response? = nil, rpc: Call? = nil, job: Step? = nil) {
            self.request = request
            self.response = response
            self.rpc = rpc
            self.job = job
        }
    }

    package struct Request: Codable, Sendable, Equatable {
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

    package struct Response: Codable, Sendable, Equatable {
        package var status: Int

        package init(status: Int) { self.status = status }
    }

    package struct Call: Codable, Sendable, Equatable {
        package var method: String
        package var peerPid: Int32
        package var code: String?

        package init(method: String, peerPid: Int32, code: String?) {
            self.method = method
            self.peerPid = peerPid
            self.code = code
        }
    }

    package struct Step: Codable, Sendable, Equatable {
        package var step: TailSubject.Step.Name
        package var index: Int?
        package var result: String?
        package var code: String?

        package init(step: TailSubject.Step.Name, index: Int?, result: String?, code: String?) {
            self.step = step
            self.index = index
            self.result = result
            self.code = code
        }
    }

    package struct Line: Codable, Sendable, Equatable {
        package var timestamp: Int64
        package var level: Logger.Level
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

    package struct Exception: Codable, Sendable, Equatable {
        package var timestamp: Int64
        package var name: String
        package var message: String

        package init(timestamp: Int64, name: String, message: String) {
            self.timestamp = timestamp
            self.name = name
            self.message = message
        }
    }
}
