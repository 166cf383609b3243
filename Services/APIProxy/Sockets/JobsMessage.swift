import BookstrackContract
import JSON
import NIOCore
import Observability
import SuiteMethods

/// A client's message on a WebSocket for several jobs (streams.md "Many jobs on one WebSocket").
enum JobsMessage: Equatable {
    /// The list, or the reason why it cannot be read.
    case watch(Result<[JobSelection.Job], APIFailure>)
    case unwatch(Result<[JobSelection.Job], APIFailure>)
    case ping(clientTime: Int64?)
    /// Concerns one job, and has the same meaning as on that job's own WebSocket.
    case concerning(JobID)
    /// Ignored.
    case unknown

    init(_ text: String) throws(ClientMessage.Malformation) {
        switch try ClientMessage(bytes: text.utf8) {
        case .unknown("watch"): self = .watch(Self.jobs(in: text))
        case .unknown("unwatch"): self = .unwatch(Self.jobs(in: text))
        case .ping(let clientTime): self = .ping(clientTime: clientTime)
        case .textPing, .unknownAction: self = .unknown
        default: self = Self.member("jobId", of: text) { try $0.readJobID(at: $1) }.map { .concerning($0) } ?? .unknown
        }
    }

    private static func jobs(in text: String) -> Result<[JobSelection.Job], APIFailure> {
        var list: Result<[JobSelection.Job], APIFailure> = .failure(.invalid("jobs", "is missing"))
        _ = member("jobs", of: text) { reader, place in
            do {
                list = .success(try reader.readJobs(at: place))
            } catch let failure as APIFailure {
                list = .failure(failure)
                throw failure
            }
            return true
        }
        return list
    }

    /// The last member of this name; nil if there is none, or it cannot be read.
    private static func member<Value>(
        _ name: String, of text: String, _ read: (inout JSONReader, String) throws -> Value?
    ) -> Value? {
        var value: Value?
        try? JSONReader.readBody(Array(text.utf8)) { reader, key in
            guard key == name else { return try reader.skipValue() }
            value = nil
            value = try read(&reader, key)
        }
        return value
    }
}

/// A server frame that concerns the connection rather than one of its jobs.
struct ConnectionFrame<Payload: FramePayload>: Encodable {
    let type: FrameType
    /// Milliseconds since 1970.
    let timestamp: Int64
    let version = "1.0.0"
    let payload: Payload

    private init(_ payload: Payload) {
        type = payload.type
        timestamp = Activity.now
        self.payload = payload
    }

    static func bytes(_ payload: Payload) -> ByteBuffer { JSONBody.encode(Self(payload)) }
}
