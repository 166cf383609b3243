import NIOCore
import NIOHTTP1

/// A complete HTTP answer.
struct Answer: Sendable {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: ByteBuffer

    init(_ status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:], body: ByteBuffer, type: String) {
        self.status = status
        self.headers = headers
        self.headers.replaceOrAdd(name: "Content-Type", value: type)
        self.body = body
    }

    static func json(_ value: JSONValue, status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:]) -> Answer {
        json(ByteBuffer(bytes: value.rendered), status: status, headers: headers)
    }

    static func json(_ body: ByteBuffer, status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:]) -> Answer {
        Answer(status, headers: headers, body: body, type: "application/json; charset=UTF-8")
    }

    static func text(_ text: String, status: HTTPResponseStatus = .ok, type: String = "text/plain") -> Answer {
        Answer(status, body: ByteBuffer(string: text), type: type)
    }
}
