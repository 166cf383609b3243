import BookstrackContract
import Foundation
import HTTPTypes
import NIOCore

/// An `APIFailure` as an HTTP answer with the envelope of http-api.md "Envelope": used by the router and by the connection's gate alike.
struct FailureAnswer {
    let status: HTTPResponse.Status
    let fields: HTTPFields
    let body: ByteBuffer

    init(_ failure: APIFailure, exchange: Exchange, origin: String?, origins: OriginList) {
        status = HTTPResponse.Status(code: failure.code.status)
        body = JSONBody.encode(
            FailureEnvelope(
                error: .init(
                    message: failure.message, code: failure.code, details: failure.details,
                    retryable: failure.code.isRetryable, statusCode: failure.code.status),
                metadata: exchange.metadata))
        var fields: HTTPFields = [.contentType: StandardFields.json, .contentLength: "\(body.readableBytes)"]
        if let seconds = failure.retryAfter { fields[.retryAfter] = "\(seconds)" }
        if failure.code == .unauthorized || failure.code == .tokenExpired { fields[.wwwAuthenticate] = "Bearer" }
        if failure.closesConnection { fields[.connection] = "close" }
        for field in failure.fields {
            if let name = HTTPField.Name(field.name) { fields[name] = field.value }
        }
        StandardFields.add(to: &fields, exchange, origin: origin, origins: origins)
        self.fields = fields
    }

    /// The bytes of an answer after which the connection ends.
    var closingBytes: ByteBuffer {
        var fields = fields
        fields[.connection] = "close"
        var bytes = ResponseHead.bytes(status, fields, reserving: body.readableBytes)
        bytes.writeImmutableBuffer(body)
        return bytes
    }
}
