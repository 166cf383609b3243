import BookstrackContract
import HTTPTypes
import Hummingbird

extension Response {
    /// A JSON answer without an envelope (http-api.md "Envelope").
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
