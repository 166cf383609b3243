import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import TestSupport
import Testing
import WireClient

/// A generation of the app that scans a shelf, simulated according to its own code.
enum ScanningApp: CaseIterable {
    /// October: opens its socket without a token before the upload, and sends five text pings.
    case first
    /// Mid-November: sends its token in the URL, and `ready` with a fractional timestamp.
    case second
    /// Late November: sends its token as a subprotocol.
    case third

    /// The settings that the services need in order to serve every generation.
    static let settings = ["BOOKSTRACK_GEMINI_API_KEY": "a-key", "BOOKSTRACK_LEGACY_TOKENLESS": "true"]

    /// Emulator arguments that make a scan last long enough for a socket to be opened after its start, even on a busy machine.
    static let slowEngine = ["--latency", "1500"]

    /// Everything that a socket received until it closed.
    struct Session {
        /// Every frame as JSON.
        private(set) var frames: [Data] = []
        private(set) var types: [String] = []
        private(set) var closeCode: UInt16?

        /// Reads a socket to its end, and starts the closing handshake after a frame that reports a completed job.
        init(_ socket: ProgressSocket) async throws {
            for await event in socket.events {
                if case .closed(let code) = event.kind { closeCode = code }
                guard let message = event.message, message.readableBytesView.first == UInt8(ascii: "{") else {
                    continue
                }
                frames.append(Data(message.readableBytesView))
                types.append(try JSONDecoder().decode(Kind.self, from: frames[frames.count - 1]).type)
                if ["job_complete", "complete"].contains(types.last) { try? await socket.close() }
            }
        }

        /// Every frame as a client decodes it.
        func decoded<Frame: Decodable>(as type: Frame.Type) throws -> [Frame] {
            try frames.map { try JSONDecoder().decode(type, from: $0) }
        }
    }

    private struct Kind: Decodable { let type: String }

    /// Scans one photo and watches the scan to the end.
    ///
    /// - Parameter meanwhile: Runs once the photo has been uploaded and the socket is open.
    func scan(
        on suite: SuiteFixture.Suite, meanwhile: (ShippedScans.Started) async throws -> Void = { _ in }
    ) async throws -> (started: ShippedScans.Started, session: Session) {
        let id = UUID().uuidString
        let started: ShippedScans.Started
        let socket: ProgressSocket
        switch self {
        case .first:
            socket = try await ProgressSocket.connect(to: suite.address, path: "/ws/progress?jobId=\(id)")
            for _ in 1...5 { try await socket.send(text: "PING") }
            started = try await Self.upload(as: id, on: suite)
        case .second:
            started = try await Self.upload(as: id, on: suite)
            socket = try await ProgressSocket.connect(
                to: suite.address, path: "/ws/progress?jobId=\(id)&token=\(started.token)")
            try await socket.send(text: #"{"type":"ready","timestamp":1700000000.25}"#)
        case .third:
            started = try await Self.upload(as: id, on: suite)
            socket = try await ProgressSocket.connect(
                to: suite.address, path: "/ws/progress?jobId=\(id)",
                headers: ["Sec-WebSocket-Protocol": "bookstrack-auth.\(started.authToken)"])
            try await socket.send(text: #"{"type":"ready"}"#)
        }
        try await meanwhile(started)
        return (started, try await Session(socket))
    }

    private static func upload(as id: String, on suite: SuiteFixture.Suite) async throws -> ShippedScans.Started {
        let answer = try await suite.http.send(
            HTTPCall(
                .POST, "/api/scan-bookshelf?jobId=\(id)", headers: ["Content-Type": "image/jpeg"],
                body: ByteBuffer(bytes: SampleImage.jpeg.file)))
        #expect(answer.status == 202)
        return try JSONDecoder().decode(ShippedScans.Started.self, from: Data(answer.body.readableBytesView))
    }
}
