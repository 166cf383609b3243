import Foundation

/// A TLS server with a certificate of its own and a CONNECT proxy, in a process of their own (`tls_and_proxy.py`).
final class TLSAndProxy {
    struct Places: Decodable {
        let tls: Int
        let proxy: Int
        /// The server's certificate, a PEM file.
        let certificate: String
    }

    struct Failure: Error {}

    let places: Places
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Returns when both listen.
    init() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "tls_and_proxy.py")
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else { throw Failure() }
            line += byte
        }
        places = try JSONDecoder().decode(Places.self, from: line)
    }

    var proxyURL: String { "http://127.0.0.1:\(places.proxy)" }

    /// Ends both. Returns what the proxy was asked.
    func stop() throws -> [String] {
        try input.fileHandleForWriting.close()
        let lines = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
