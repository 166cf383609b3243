import Glibc
import HTTPTypes
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import Observability

/// Header fields that responses have in common (http-api.md "Envelope" and "Origins").
enum StandardFields {
    static let apiVersion = "2.1"
    static let json = "application/json; charset=utf-8"
    /// The content type of any bytes. Images have it for clients that request it: generated clients read images as bytes and do not support image
    /// types.
    static let anyBytes = "application/octet-stream"
    static let requestId = HTTPField.Name.known("X-Request-Id")
    static let traceparent = HTTPField.Name.known("traceparent")
    static let securityPolicy = HTTPField.Name.known("Content-Security-Policy")

    private static let apiVersionName = HTTPField.Name.known("X-API-Version")
    private static let responseTime = HTTPField.Name.known("X-Response-Time")
    private static let referrerPolicy = HTTPField.Name.known("Referrer-Policy")
    private static let exposed =
        "X-API-Version, X-Request-Id, X-Response-Time, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, "
        + "Retry-After, Deprecation, Sunset, Link, Age, Allow, Content-Disposition, ETag, Last-Event-ID, "
        + "WWW-Authenticate, X-Cache"

    /// The `Content-Type` of an image for a request: ``anyBytes`` if it requests that, otherwise the image's own.
    static func imageType(_ type: String, for request: HTTPFields) -> String {
        request[.accept] == anyBytes ? anyBytes : type
    }

    /// Adds the fields that final responses have in common; `origin` is the request's.
    static func add(to fields: inout HTTPFields, _ exchange: Exchange, origin: String?, origins: OriginList) {
        // These fields are appended, because the subscript would first build an index of all fields.
        addIdentity(to: &fields, exchange)
        addSecurity(to: &fields)
        fields.append(HTTPField(name: .vary, value: "Origin"))
        guard let origin, origins.allows(origin) else { return }
        fields[.accessControlAllowOrigin] = origin
        fields[.accessControlExposeHeaders] = exposed
    }

    /// Adds the fields with version, request identifier and duration; also used for the 101 response of a WebSocket.
    static func addIdentity(to fields: inout HTTPFields, _ exchange: Exchange) {
        fields.append(HTTPField(name: apiVersionName, value: apiVersion))
        fields.append(HTTPField(name: requestId, value: exchange.requestId))
        fields.append(HTTPField(name: responseTime, value: "\(exchange.milliseconds)ms"))
    }

    /// Keeps browsers from interpreting a response as another type, from framing it or loading anything for it, from sending its URL as a referrer,
    /// and from storing it: most responses belong to one job or contain its token. A route may set `Cache-Control` or `Content-Security-Policy`
    /// itself.
    private static func addSecurity(to fields: inout HTTPFields) {
        let (keepsCacheControl, keepsPolicy) = fields.reduce(into: (false, false)) { found, field in
            if field.name == .cacheControl { found.0 = true }
            if field.name == securityPolicy { found.1 = true }
        }
        if !keepsCacheControl { fields.append(HTTPField(name: .cacheControl, value: "no-store")) }
        if !keepsPolicy {
            fields.append(HTTPField(name: securityPolicy, value: "default-src 'none'; frame-ancestors 'none'"))
        }
        fields.append(HTTPField(name: .xContentTypeOptions, value: "nosniff"))
        fields.append(HTTPField(name: referrerPolicy, value: "no-referrer"))
    }
}

extension HTTPField.Name {
    /// A field name from a literal, which must be valid.
    static func known(_ text: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(text)") else { preconditionFailure("\(text) is not a field name") }
        return name
    }
}

extension HTTPResponse.Status {
    /// Whether a final response with this status has content and states its length: a 204 must not have a `Content-Length`, and a 304 need not have
    /// one (RFC 9110 §8.6).
    var hasContent: Bool { self != .noContent && self != .notModified }
}

/// The head of a response as bytes (RFC 9112 §4, §5), for responses that do not pass through NIO's encoder.
enum ResponseHead {
    /// - Parameter length: Number of bytes that will follow in the same buffer.
    static func bytes(_ status: HTTPResponse.Status, _ fields: HTTPFields, reserving length: Int = 0) -> ByteBuffer {
        var text = ByteBuffer()
        text.reserveCapacity(length + 768)
        text.writeString("HTTP/1.1 \(status.code) \(HTTPResponseStatus(statusCode: status.code).reasonPhrase)\r\n")
        for field in fields {
            text.writeString(field.name.rawName)
            text.writeStaticString(": ")
            text.writeString(field.value)
            text.writeStaticString("\r\n")
        }
        text.writeStaticString("\r\n")
        return text
    }
}

extension TraceContext {
    /// The trace context in a request's fields.
    init(_ fields: HTTPFields) {
        self.init(traceparent: fields[StandardFields.traceparent], requestID: fields[StandardFields.requestId])
    }

    /// The trace context in the NIO head of a request.
    init(_ headers: HTTPHeaders) {
        self.init(
            traceparent: headers[StandardFields.traceparent.rawName].first,
            requestID: headers[StandardFields.requestId.rawName].first)
    }
}

/// The time in the format of `Date` fields (RFC 9110 §5.6.7), formatted again only when the second changes.
final class HTTPDate: Sendable {
    private struct Made {
        var second = 0
        var text = ""
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private let made = NIOLockedValueBox(Made())

    /// The value for a response sent now.
    var now: String { text(second: time(nil)) }

    /// The value for a time in seconds since 1970.
    func text(second: Int) -> String {
        made.withLockedValue { made in
            if made.second != second || made.text.isEmpty {
                made = Made(second: second, text: Self.text(second: second))
            }
            return made.text
        }
    }

    /// The text for a time in seconds since 1970.
    static func text(second: Int) -> String {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1_900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
