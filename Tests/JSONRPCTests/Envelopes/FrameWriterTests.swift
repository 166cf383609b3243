import NIOCore
import Testing

@testable import JSONRPC

@Suite("Written frames")
struct FrameWriterTests {
    private func written(_ write: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer()
        write(&buffer)
        return String(buffer: buffer)
    }

    @Test("each kind of frame has its members and one line end")
    func kinds() {
        let body = ByteBuffer(string: #"{"a":1}"#)
        #expect(
            written {
                FrameWriter.writeRequest(
                    id: 7, method: "m", deadline: .seconds(2), trace: nil, parameters: body, to: &$0)
            }
                == #"{"jsonrpc":"2.0","id":7,"method":"m","deadlineMs":2000,"params":{"a":1}}"# + "\n")
        #expect(
            written { FrameWriter.writeNotification(method: "m\"", parameters: body, to: &$0) }
                == #"{"jsonrpc":"2.0","method":"m\"","params":{"a":1}}"# + "\n")
        #expect(
            written { FrameWriter.writeResult(id: .text("x"), body, to: &$0) }
                == #"{"jsonrpc":"2.0","id":"x","result":{"a":1}}"# + "\n")
        #expect(
            written { FrameWriter.writeFailure(id: nil, ErrorObject(code: -32700, message: "?"), to: &$0) }
                == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"# + "\n")
    }

    @Test("line breaks in a raw body cannot end its frame")
    func lineBreaks() {
        let body = ByteBuffer(string: "{\n\t\"a\": 1\r\n}")
        #expect(
            written { FrameWriter.writeNotification(method: "m", parameters: body, to: &$0) }
                == "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{ \t\"a\": 1\r }}\n")
    }

    @Test("an application error reads back as it was written")
    func errorRoundTrip() {
        let details = ByteBuffer(string: #"{"jobId":"J","n":[1]}"#)
        let error = ErrorObject(
            answering: RPCApplicationError(
                code: "NOT_FOUND", message: "no \"job\"\u{1F}\\ž", details: details, retryAfterSeconds: 5))
        var buffer = ByteBuffer()
        error.write(to: &buffer)
        #expect(ErrorObject(parsing: buffer) == error)
        #expect(error.code == RPCErrorCode.application)
    }

    @Test(
        "deadlines are whole milliseconds, rounded up",
        arguments: [
            (Duration.zero, Int32(1)), (.seconds(-3), 1), (.microseconds(1), 1), (.milliseconds(5), 5),
            (.microseconds(5_001), 6),
            (.seconds(600), 600_000), (.seconds(4_000_000), Int32.max),
        ])
    func deadlines(duration: Duration, milliseconds: Int32) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }
}
