import NIOCore
import NIOWebSocket

extension WebSocketFrame {
    static func text(_ text: String) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    }

    static func close(_ code: UInt16, _ reason: String = "") -> WebSocketFrame {
        var body = ByteBuffer()
        body.writeInteger(code)
        body.writeString(reason)
        return WebSocketFrame(fin: true, opcode: .connectionClose, data: body)
    }

    static var ping: WebSocketFrame { WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(string: "p")) }
}
