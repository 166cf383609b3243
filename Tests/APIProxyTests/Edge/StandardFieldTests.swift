import HTTPTypes
import NIOCore
import NIOHTTP1
import Observability
import Testing

@testable import APIProxy

@Suite("Standard header fields") struct StandardFieldTests {
    private func fields(_ own: HTTPFields = [:], origin: String? = nil) -> HTTPFields {
        var fields = own
        let exchange = Exchange(Activity(TraceContext(requestID: "req-1")))
        StandardFields.add(to: &fields, exchange, origin: origin, origins: OriginList())
        return fields
    }

    @Test(
        "a response states the API version, the request identifier, and its caching and security policies",
        arguments: [
            ("x-api-version", "2.1"), ("x-request-id", "req-1"), ("cache-control", "no-store"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"), ("vary", "Origin"),
        ])
    func stated(name: String, value: String) throws {
        let name = try #require(HTTPField.Name(name))
        #expect(fields()[values: name] == [value])
    }

    @Test("X-Response-Time is given in whole milliseconds")
    func duration() throws {
        let text = try #require(fields()[.known("X-Response-Time")])
        #expect(text.hasSuffix("ms"))
        #expect(Int(text.dropLast(2)) != nil)
    }

    @Test("a route's own caching and policy fields are kept")
    func kept() {
        let own: HTTPFields = [.cacheControl: "public, max-age=9", StandardFields.securityPolicy: "default-src 'self'"]
        #expect(fields(own)[values: .cacheControl] == ["public, max-age=9"])
        #expect(fields(own)[values: StandardFields.securityPolicy] == ["default-src 'self'"])
    }

    @Test(
        "only a listed origin is echoed, with the header fields that its scripts may read",
        arguments: [
            ("https://bookstrack.app", true), ("http://localhost:5173", true), ("https://evil.example", false),
            ("null", false),
        ])
    func origins(origin: String, isAllowed: Bool) {
        let fields = fields(origin: origin)
        #expect(fields[.accessControlAllowOrigin] == (isAllowed ? origin : nil))
        #expect((fields[.accessControlExposeHeaders] != nil) == isAllowed)
        #expect(fields[.known("Access-Control-Allow-Credentials")] == nil)
    }

    @Test(
        "an image has its own media type unless the client accepts only application/octet-stream",
        arguments: [
            ("image/*", "image/jpeg"), ("*/*", "image/jpeg"), ("application/octet-stream", "application/octet-stream"),
            ("application/octet-stream, image/*", "image/jpeg"), ("", "image/jpeg"),
        ])
    func images(accept: String, type: String) {
        let request: HTTPFields = accept.isEmpty ? [:] : [.accept: accept]
        #expect(StandardFields.imageType("image/jpeg", for: request) == type)
    }

    @Test("the head of a response is a status line and one line per field")
    func head() {
        let bytes = ResponseHead.bytes(.init(code: 404), [.contentLength: "0", .allow: "GET"])
        #expect(String(buffer: bytes) == "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nAllow: GET\r\n\r\n")
    }

    @Test(
        "a valid trace from the client is continued, whether it is read from HTTPFields or from NIO's HTTPHeaders",
        arguments: [
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "0af7651916cd43dd8448eb211c80319c"),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", nil), ("garbage", nil),
        ] as [(String, String?)])
    func traces(parent: String, trace: String?) {
        let fields = TraceContext([StandardFields.traceparent: parent, StandardFields.requestId: "req-7"])
        let headers = TraceContext(["traceparent": parent, "X-Request-Id": "req-7"] as HTTPHeaders)
        for context in [fields, headers] {
            #expect(context.requestID == "req-7")
            if let trace { #expect(context.traceID == trace) } else { #expect(!parent.contains(context.traceID)) }
        }
    }

    @Test("an invalid request identifier is replaced by the trace identifier", arguments: ["a b", "a\u{0}b", "", "é"])
    func forged(identifier: String) {
        let context = TraceContext(["X-Request-Id": identifier] as HTTPHeaders)
        #expect(context.requestID == context.traceID)
    }
}

@Suite("Entity tags") struct EntityTagTests {
    @Test(
        "an entity tag matches itself in a list, whether weak or strong, and also matches an asterisk",
        arguments: [
            (#"W/"3""#, true), (#""3""#, true), (#"W/"2", W/"3""#, true), (#"W/"2","3""#, true), ("*", true),
            (#"W/"33""#, false),
            ("3", false), ("", false), (nil, false),
        ] as [(String?, Bool)])
    func matching(field: String?, matches: Bool) {
        #expect(EntityTag(weak: "3").matches(field) == matches)
    }

    @Test("a weak entity tag is marked as weak")
    func weak() {
        #expect(EntityTag(weak: "17-3").description == #"W/"17-3""#)
    }
}
