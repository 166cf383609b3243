import BookstrackContract
import HTTPTypes
import JSON
import JSONRPC
import NIOCore
import NIOHTTP1
import Observability
import Testing

@testable import APIProxy

@Suite("Errors converted to API failures") struct APIFailureTests {
    private struct Unknown: Error {}

    private func answering(_ kind: RPCError.Kind) -> APIFailure? { APIFailure(answering: RPCError(kind)) }

    private func remote(
        _ code: String, details: String? = nil, retryAfter: Int? = nil, message: String = "why"
    ) -> APIFailure? {
        let detail = RPCErrorDetail(
            code: code, details: details.map { ByteBuffer(string: $0) }, retryAfterSeconds: retryAfter)
        return answering(.remote(code: -32_000, message: message, data: detail))
    }

    @Test(
        "if progress-host is down or does not answer, the 503 names it and does not count toward the rate limit",
        arguments: [RPCError.connectionLost, .notConnected, .deadlineExceeded])
    func unreachable(error: RPCError) {
        let failure = APIFailure(answering: error)
        #expect(failure?.code == .serviceUnavailable)
        #expect(failure?.message == "progress-host is down or does not answer. Please try again.")
        #expect(failure?.details == ["service": "progress-host"])
        #expect(failure?.retryAfter == 2)
        #expect(failure?.counts == false)
    }

    @Test("an overloaded peer causes a 503 with Retry-After, and the request counts toward the rate limit")
    func overloaded() {
        let failure = APIFailure(answering: RPCError.overloaded)
        #expect(failure?.code == .serviceUnavailable)
        #expect(failure?.message == "The service is busy. Please try again.")
        #expect(failure?.retryAfter == 2)
        #expect(failure?.counts == true)
    }

    @Test(
        "a protocol fault becomes an internal error",
        arguments: [
            RPCError.Kind.frameTooLarge, .protocolViolation("no result"),
            .remote(code: -32_601, message: "no such method", data: nil),
        ])
    func faults(kind: RPCError.Kind) {
        #expect(answering(kind) == .internalError)
    }

    @Test("an error code that is not in the contract becomes an internal error")
    func unknownCode() {
        #expect(remote("TEAPOT") == .internalError)
    }

    @Test(
        "when progress-host refuses a token, the response does not reveal the reason",
        arguments: ["no such job", "wrong token"])
    func unauthorized(message: String) {
        #expect(remote("UNAUTHORIZED", message: message) == .unauthorized)
    }

    @Test("the code, message and details of a refusal are passed on")
    func passedOn() {
        let failure = remote(
            "JOB_EXISTS", details: #"{"jobId":"job-12345","status":"processing","count":3,"all":["a"]}"#)
        #expect(failure?.code == .jobExists)
        #expect(failure?.message == "why")
        #expect(
            failure?.details
                == ["jobId": "job-12345", "status": "processing", "count": .integer(3), "all": .list(["a"])])
    }

    @Test("details that are not an object of plain values are left out", arguments: ["[1]", #"{"a":{"b":1}}"#, "x"])
    func oddDetails(text: String) throws {
        let failure = try #require(remote("NOT_FOUND", details: text))
        #expect(failure.code == .notFound)
        #expect(failure.details == nil)
    }

    @Test(
        "a temporary refusal has a Retry-After, which progress-host may specify",
        arguments: [
            ("SERVICE_UNAVAILABLE", nil, 2), ("SERVICE_UNAVAILABLE", 17, 17), ("TOO_MANY_CONNECTIONS", nil, 2),
            ("QUOTA_EXHAUSTED", 60, 60), ("NOT_FOUND", nil, nil), ("JOB_EXISTS", nil, nil),
        ] as [(String, Int?, Int?)])
    func retryAfter(code: String, host: Int?, expected: Int?) {
        #expect(remote(code, retryAfter: host)?.retryAfter == expected)
    }

    @Test(
        "a refusal counts toward the rate limit unless it names an unavailable service",
        arguments: [
            (#"{"service":"storage"}"#, false), (#"{"limit":3}"#, true), (nil, true),
        ] as [(String?, Bool)])
    func counting(details: String?, counts: Bool) {
        #expect(remote("SERVICE_UNAVAILABLE", details: details)?.counts == counts)
    }

    @Test("there is no response if the client has disconnected or the request's task was cancelled")
    func left() {
        #expect(answering(.cancelled) == nil)
        #expect(APIFailure(answering: CancellationError()) == nil)
        #expect(APIFailure(answering: ChannelError.ioOnClosedChannel) == nil)
    }

    @Test(
        "a full disk causes a 503 with a Retry-After of one minute, and an unexpected error becomes an internal error")
    func others() {
        #expect(APIFailure(answering: UploadFault.diskFull)?.retryAfter == 60)
        #expect(APIFailure(answering: UploadFault.diskFull)?.code == .serviceUnavailable)
        #expect(APIFailure(answering: UploadFault.system(5)) == .internalError)
        #expect(APIFailure(answering: Unknown()) == .internalError)
    }

    @Test("a body with invalid framing ends the connection")
    func framing() {
        let failure = APIFailure(answering: HTTPParserError.invalidEOFState)
        #expect(failure?.code == .invalidRequest)
        #expect(failure?.message == "Malformed HTTP request: the body does not match its framing headers.")
        #expect(failure?.closesConnection == true)
    }

    @Test("malformed JSON is reported with its line, column and byte offset")
    func json() {
        let body = Array("{\n  \"isbns\": [1,]\n}".utf8)
        do {
            _ = try JSONDocument(body)
            Issue.record("malformed JSON was accepted")
        } catch {
            let failure = APIFailure(error, in: body)
            #expect(failure.code == .invalidRequest)
            #expect(failure.details == ["line": .integer(2), "column": .integer(15), "offset": .integer(16)])
            #expect(failure.message.hasPrefix("Malformed JSON at line 2, column 15 (byte 16): "))
        }
    }

    @Test("an invalid value is reported with the name of its field")
    func invalid() {
        let failure = APIFailure.invalid("books[3].title", "must be a string")
        #expect(failure.message == "books[3].title must be a string.")
        #expect(failure.details == ["field": "books[3].title"])
        #expect("\(failure)" == "INVALID_REQUEST: books[3].title must be a string.")
    }
}

@Suite("Failure responses") struct FailureAnswerTests {
    private let exchange = Exchange(Activity(TraceContext(requestID: "req-1")))

    private func answer(_ failure: APIFailure, origin: String? = nil) -> FailureAnswer {
        FailureAnswer(failure, exchange: exchange, origin: origin, origins: OriginList())
    }

    @Test(
        "each code has the documented status, and its response states whether a retry may succeed",
        arguments: [
            (APIErrorCode.invalidISBN, 400, false), (.invalidQuery, 400, false), (.invalidRequest, 400, false),
            (.batchTooLarge, 400, false), (.csvParseError, 400, false), (.unauthorized, 401, false),
            (.tokenExpired, 401, false), (.tokenRefreshTooEarly, 401, false), (.forbidden, 403, false),
            (.notFound, 404, false), (.methodNotAllowed, 405, false), (.requestTimeout, 408, true),
            (.jobExists, 409, false), (.jobNotRetryable, 409, false), (.fileTooLarge, 413, false),
            (.unsupportedMediaType, 415, false), (.upgradeRequired, 426, false), (.rateLimitExceeded, 429, true),
            (.tooManyConnections, 429, true), (.internalError, 500, true), (.providerError, 502, true),
            (.quotaExhausted, 503, true), (.serviceUnavailable, 503, true), (.scannerUnavailable, 503, true),
            (.providerTimeout, 504, true),
        ])
    func codes(code: APIErrorCode, status: Int, isRetryable: Bool) {
        let answer = answer(APIFailure(code, "why"))
        #expect(answer.status.code == status)
        let body = String(buffer: answer.body)
        #expect(body.contains(#""code":"\#(code.rawValue)""#))
        #expect(body.contains(#""retryable":\#(isRetryable)"#))
        #expect(body.contains(#""statusCode":\#(status)"#))
    }

    @Test("the body of a failure response is the documented envelope and omits members that have no value")
    func envelope() throws {
        let text = String(buffer: answer(APIFailure(.notFound, "No such job.")).body)
        #expect(
            text.hasPrefix(
                #"{"data":null,"error":{"code":"NOT_FOUND","message":"No such job.","retryable":false,"statusCode":404},"#
                    + #""metadata":{"processingTime":"#))
        #expect(text.hasSuffix(#"},"success":false}"#))
        #expect(!text.contains("details"))
    }

    @Test("a failure response contains its length, its media type and the request identifier")
    func fields() {
        let answer = answer(APIFailure(.notFound, "no"))
        #expect(answer.fields[.contentType] == "application/json; charset=utf-8")
        #expect(answer.fields[.contentLength] == "\(answer.body.readableBytes)")
        #expect(answer.fields[StandardFields.requestId] == "req-1")
        #expect(answer.fields[.cacheControl] == "no-store")
    }

    @Test(
        "a refused or expired token is answered with a WWW-Authenticate field, and other failures are not",
        arguments: [
            (APIErrorCode.unauthorized, "Bearer"), (.tokenExpired, "Bearer"), (.tokenRefreshTooEarly, nil),
            (.forbidden, nil),
        ] as [(APIErrorCode, String?)])
    func authentication(code: APIErrorCode, scheme: String?) {
        #expect(answer(APIFailure(code, "no")).fields[.wwwAuthenticate] == scheme)
    }

    @Test("a failure response contains Retry-After and the failure's own header fields")
    func ownFields() {
        var failure = APIFailure(.serviceUnavailable, "later", retryAfter: 7)
        failure.fields = [.allow: "GET"]
        failure.closesConnection = true
        let fields = answer(failure).fields
        #expect(fields[.retryAfter] == "7")
        #expect(fields[.allow] == "GET")
        #expect(fields[.connection] == "close")
    }

    @Test(
        "only pages from allowed origins may read a failure",
        arguments: [
            ("https://bookstrack.app", "https://bookstrack.app"), ("https://evil.example", nil), (nil, nil),
        ] as [(String?, String?)])
    func origins(origin: String?, allowed: String?) {
        let fields = answer(APIFailure(.notFound, "no"), origin: origin).fields
        #expect(fields[.accessControlAllowOrigin] == allowed)
        #expect(fields[.vary] == "Origin")
    }

    @Test(
        "a failure sent as bytes is a complete response, without its body if the request is HEAD",
        arguments: [false, true])
    func bytes(isHead: Bool) {
        let answer = answer(.late("body"))
        let text = String(buffer: answer.bytes(date: "today", isHead: isHead))
        #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(text.lowercased().contains("\r\nconnection: close\r\n"))
        #expect(text.contains("\r\nDate: today\r\n"))
        #expect(text.hasSuffix("\r\n\r\n" + (isHead ? "" : String(buffer: answer.body))))
    }

    @Test("a failure that closes the connection keeps its own connection option")
    func connectionOptions() {
        var failure = APIFailure.upgradeRequired("Upgrade.")
        failure.closesConnection = true
        #expect(answer(failure).fields[values: .connection] == ["Upgrade", "close"])
    }
}
