import Foundation

/// A TLS server, two HTTP/2 servers and a TLS tunnel with a certificate issued by a private authority, and a CONNECT
/// proxy, in a separate process (`tls_and_proxy.py`).
package final class TLSAndProxy {
    package struct Places: Decodable {
        package let tls: Int
        /// Port of an HTTP/2 server that ends each connection with GOAWAY when the first request arrives.
        package let goingAway: Int
        /// Port of an HTTP/2 server that answers only the first request on each connection.
        package let stalling: Int
        /// Port of the tunnel, which forwards every byte to the server given to ``passOn(to:)``.
        package let tunnel: Int
        package let proxy: Int
        /// The authority's certificate, as a PEM file.
        package let authority: String
    }

    struct Failure: Error {}

    package let places: Places
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the process; returns once the servers, the tunnel and the proxy are listening.
    package init() throws {
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

    package var proxyURL: String { "http://127.0.0.1:\(places.proxy)" }

    /// Makes the TLS server and the tunnel forward to `server`, "http://host:port". Call it before the first request.
    package func passOn(to server: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((server + "\n").utf8))
    }

    /// Stops the process and returns the requests that the proxy received.
    package func stop() throws -> [String] {
        try input.fileHandleForWriting.close()
        let lines = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
