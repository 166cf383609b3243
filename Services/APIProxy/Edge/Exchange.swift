import BookstrackContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Observability

/// One request and its response: the request identifier, and the times for the response's metadata (http-api.md "Envelope").
struct Exchange: Sendable {
    /// The request's activity, which began when the head arrived.
    let activity: Activity

    /// A placeholder until the exchange of a request is known.
    static let none = Exchange(Activity(TraceContext()))

    init(_ activity: Activity) { self.activity = activity }

    var requestId: String { activity.trace.requestID }

    /// Milliseconds since the request's head arrived.
    var milliseconds: Int {
        Int(activity.elapsed.milliseconds)
    }

    /// The envelope's `metadata`, as of now.
    var metadata: ResponseMetadata {
        ResponseMetadata(
            timestamp: ISO8601Milliseconds.string(fromMilliseconds: Activity.now),
            processingTime: milliseconds)
    }
}

/// What a route receives in addition to the request.
struct ProxyContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Address of the peer: the client, or a proxy in front of it; nil if it is unknown.
    let peer: SocketAddress?
    let channel: any Channel
    /// Set by ``HTTPAnswering`` before the request is routed.
    var exchange = Exchange.none

    init(source: ApplicationRequestContextSource) {
        peer = source.channel.remoteAddress
        channel = source.channel
        coreContext = CoreRequestContextStorage(source: source)
    }
}

extension ProxyContext {
    /// Call this before reading a body: it sends `100 Continue` to a client that is waiting for it. If a request is refused earlier, its client
    /// receives only the final response (RFC 9110 §10.1.1).
    func wantBody(of request: Request) {
        if request.headers[.expect] != nil { channel.triggerUserOutboundEvent(BodyWanted(), promise: nil) }
    }
}

extension Response {
    /// A JSON response without an envelope (http-api.md "Envelope").
    static func json(_ status: HTTPResponse.Status, _ value: some Encodable) -> Response {
        Response(
            status: status, headers: [.contentType: StandardFields.json],
            body: .init(byteBuffer: JSONBody.encode(value)))
    }

    /// A success in the envelope of http-api.md "Envelope".
    static func envelope(
        _ status: HTTPResponse.Status, _ data: some Codable & Sendable, _ context: ProxyContext
    ) -> Response {
        json(status, SuccessEnvelope(data: data, metadata: context.exchange.metadata))
    }
}

/// Encodes JSON responses.
enum JSONBody {
    /// Encodes with sorted keys and unescaped slashes. Traps if encoding fails, which only a defect in the value's type can cause.
    static func encode(_ value: some Encodable) -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return ByteBuffer(bytes: try encoder.encode(value))
        } catch {
            preconditionFailure("\(type(of: value)) cannot be encoded: \(error)")
        }
    }
}
