/// One thing that the fault server does on a connection after it has read a request.
enum FaultStep: Sendable {
    /// Writes bytes.
    case send([UInt8])
    /// Writes zeros without holding them all.
    case sendZeros(Int)
    /// Waits before the next step.
    case pause(Duration)
    /// Closes in order.
    case close
    /// Closes with a reset (RST).
    case reset
    /// Does nothing any more.
    case hang
}

extension FaultStep {
    /// A complete answer that keeps the connection.
    static func answer(_ status: Int = 200, headers: [String] = [], body: [UInt8] = Array("ok".utf8)) -> [FaultStep] {
        [.send(head(status, headers: headers + ["Content-Length: \(body.count)"]) + body)]
    }

    /// A redirect.
    static func redirect(_ target: String, status: Int = 302) -> [FaultStep] {
        answer(status, headers: ["Location: \(target)"], body: [])
    }

    /// A status line and headers with the empty line after them.
    static func head(_ status: Int = 200, headers: [String] = []) -> [UInt8] {
        Array((["HTTP/1.1 \(status) Status"] + headers + ["", ""]).joined(separator: "\r\n").utf8)
    }
}
