import BookstrackContract
import Foundation

/// One request and its answer: the identifier and the times that every answer carries (spec/02 "Envelope").
struct Exchange: Sendable {
    /// The client's `X-Request-Id` when it is sane, else a new one.
    let requestId: String
    private let started: ContinuousClock.Instant

    /// Stands where no request has been seen yet.
    static let none = Exchange(unchecked: "")

    init(requestId: String?) {
        let isSane = requestId.map { (1...128).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isAllowed) } ?? false
        self.init(unchecked: isSane ? requestId ?? "" : RequestID.next())
    }

    private init(unchecked requestId: String) {
        self.requestId = requestId
        started = .now
    }

    /// Milliseconds since the request's head.
    var milliseconds: Int {
        let (seconds, attoseconds) = (ContinuousClock.now - started).components
        return Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    /// The envelope's `metadata`, as of now.
    var metadata: ResponseMetadata {
        ResponseMetadata(
            timestamp: ISO8601Milliseconds.string(fromMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000)),
            processingTime: milliseconds)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-_.:/+=".utf8.contains(byte)
        }
    }
}
