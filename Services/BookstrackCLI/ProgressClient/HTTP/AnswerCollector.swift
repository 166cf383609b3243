import NIOCore
import NIOHTTP1

/// Puts the parts of one answer together, up to a size.
struct AnswerCollector {
    private let limit: Int
    private var answer: HTTPAnswer?
    private(set) var keepsConnection = false

    init(limit: Int) { self.limit = limit }

    /// Whether anything of the answer has come.
    var hasBegun: Bool { answer != nil }

    /// Takes the next part; the answer once it is whole. Informational answers (1xx) are passed over.
    mutating func take(_ part: HTTPClientResponsePart) throws(ClientFailure) -> HTTPAnswer? {
        switch part {
        case .head(let head):
            guard head.status.code >= 200 || head.status == .switchingProtocols else { return nil }
            answer = HTTPAnswer(status: Int(head.status.code), headers: head.headers)
            keepsConnection = head.isKeepAlive
            return nil
        case .body(var bytes):
            guard let collected = answer?.body.readableBytes, collected + bytes.readableBytes <= limit else {
                throw .answerTooLarge(limit: limit)
            }
            answer?.body.writeBuffer(&bytes)
            return nil
        case .end:
            defer { answer = nil }
            return answer
        }
    }
}
