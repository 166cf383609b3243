import BookstrackContract
import JSON
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@Suite("Hand-written JSON of socket bodies")
struct SocketBodyTests {
    /// Checks that a body's hand-written JSON is the same as an `Encoder`'s, and that reading it by hand loses nothing.
    private func check<Body: HandCodedBody>(_ body: Body) throws {
        let coded = try JSONCoding.encode(body)
        #expect(String(buffer: try BodyCoding.encode(body)) == String(buffer: coded))
        let read = try BodyCoding.decode(Body.self, from: coded)
        #expect(String(buffer: try JSONCoding.encode(read)) == String(buffer: coded))
    }

    private static let requests: [SocketRequest] = [nil, "", "T\"\\\n🦊"].flatMap { token in
        [nil, 0, Int.max].flatMap { since in
            [nil, false, true].map { flag in
                var request = SocketRequest(
                    jobId: JobID("job-under-test")!, token: token, reconnect: flag ?? true, since: since,
                    v1: flag ?? false, isOneWay: flag, followsResults: flag.map { !$0 })
                request.isOperator = flag
                return request
            }
        }
    }

    @Test("a request to open a socket has the same JSON as with an encoder", arguments: requests)
    func open(_ request: SocketRequest) throws {
        try check(OpenSocket.Parameters(socket: SocketID(.max), request: request))
    }

    @Test("the response to a request to open a socket has the same JSON as with an encoder")
    func opened() throws {
        try check(OpenSocket.Result(tokenNumber: nil))
        try check(OpenSocket.Result(tokenNumber: .max, replaysAfter: 0, isOver: false))
    }

    @Test("a client's message and a notice have the same JSON as with an encoder", arguments: ["", "{}", "\u{0}é🦊\""])
    func notices(text: String) throws {
        try check(SocketMessage.Parameters(socket: SocketID(7), text: text))
        try check(SocketNotice(socket: SocketID(7)))
    }

    @Test(
        "a body that lacks a member, or has an invalid one, is refused",
        arguments: [
            #"{}"#, #"[]"#, #"{"socket":7}"#,
            #"{"socket":"7","request":{"jobId":"job-under-test","reconnect":true,"v1":true}}"#,
            #"{"socket":7,"request":{"jobId":"?","reconnect":true,"v1":true}}"#,
            #"{"socket":7,"request":{"jobId":"job-under-test","v1":true}}"#,
            #"{"socket":7,"request":{"jobId":"job-under-test","reconnect":1,"v1":true}}"#,
        ])
    func malformed(json: String) {
        #expect(throws: DecodingError.self) {
            try BodyCoding.decode(OpenSocket.Parameters.self, from: ByteBuffer(string: json))
        }
    }
}
