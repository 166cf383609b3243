import HTTPTypes
import NIOHTTP1
import Observability

extension TraceContext {
    /// What a client says of its request.
    init(_ fields: HTTPFields) {
        self.init(traceparent: fields[StandardFields.traceparent], requestID: fields[StandardFields.requestId])
    }

    /// What a client says in a head that Hummingbird does not see.
    init(_ headers: HTTPHeaders) {
        self.init(
            traceparent: headers[StandardFields.traceparent.rawName].first,
            requestID: headers[StandardFields.requestId.rawName].first)
    }
}
