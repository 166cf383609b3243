import BookstrackContract
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// An `APIFailure` as an HTTP answer with the envelope of spec/02: used by the router and by the connection's gate alike.
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

    /// The head of an answer after which the connection ends.
    var closingHead: HTTPResponseHead {
        var headers = HTTPHeaders(fields)
        if !headers[canonicalForm: "Connection"].contains("close") { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(version: .http1_1, status: .init(statusCode: status.code), headers: headers)
    }
}
