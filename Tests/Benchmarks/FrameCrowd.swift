import WireClient

/// What a client has read from its connection.
enum CrowdEvent {
    /// From now on, the client receives frames.
    case ready
    /// Not a frame; the client answers with these bytes.
    case reply([UInt8])
    /// A progress frame.
    case frame(seq: Int?)
    case other
}

/// The client's side of a protocol that delivers frames.
protocol FrameReader {
    /// What the client sends when it has connected.
    var greeting: [UInt8] { get }

    /// Removes one message from the start of `bytes`; nil if it is incomplete.
    mutating func next(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> CrowdEvent?
}

/// Clients that do nothing but count frames, so figures reflect the services rather than the clients.
// @unchecked Sendable: everything but the constants is only used on `loop`.
final class FrameCrowd: @unchecked Sendable {
    /// A client could not connect, or a connection ended while clients were joining.
    struct Refused: Error {}

    let loop: ClientLoop
    private let address: ServerAddress
    private var awaited: (waiters: Int, continuation: CheckedContinuation<Void, any Error>)?
    /// The frames that the clients have received.
    fileprivate(set) var count = FrameCount()
    /// Called with the client's number for each progress frame that arrives.
    var arrived: (Int) -> Void = { _ in }

    init(_ address: ServerAddress, on loop: ClientLoop) {
        self.address = address
        self.loop = loop
    }

    /// Adds a client for each reader, numbered in the order of the readers, and waits until all of them are ready. At most 64 connect at the same
    /// time.
    func join(_ readers: [any FrameReader & Sendable]) async throws {
        for start in stride(from: 0, to: readers.count, by: 64) {
            let some = readers[start..<min(start + 64, readers.count)]
            try await withCheckedThrowingContinuation { continuation in
                loop.execute {
                    self.awaited = (some.count, continuation)
                    for (number, reader) in zip(some.indices, some) { self.connect(reader, number) }
                }
            }
        }
    }

    private func connect(_ reader: any FrameReader, _ number: Int) {
        guard let descriptor = try? Listener.connect(to: address.port) else { return refuse() }
        let member = Member(reader, number: number, of: self)
        let connection = loop.add(descriptor, received: member.receive, ended: refuse)
        member.connection = connection
        connection.write(reader.greeting)
    }

    fileprivate func isReady() {
        guard let (waiters, continuation) = awaited else { return }
        awaited = waiters > 1 ? (waiters - 1, continuation) : nil
        if waiters == 1 { continuation.resume() }
    }

    private func refuse() {
        awaited?.continuation.resume(throwing: Refused())
        awaited = nil
    }
}

/// One client.
private final class Member {
    private unowned let crowd: FrameCrowd
    private let number: Int
    private var reader: any FrameReader
    /// The start of a message whose end has not arrived.
    private var unread: [UInt8] = []
    private var lastSeq: Int?
    var connection: ClientConnection?

    init(_ reader: any FrameReader, number: Int, of crowd: FrameCrowd) {
        self.reader = reader
        self.number = number
        self.crowd = crowd
    }

    func receive(_ chunk: UnsafeRawBufferPointer) {
        if unread.isEmpty {
            unread += chunk.suffix(read(chunk))
        } else {
            unread += chunk
            let bytes = unread
            unread.removeFirst(bytes.count - bytes.withUnsafeBytes(read))
        }
    }

    /// Takes all complete messages; returns the number of bytes left.
    private func read(_ bytes: UnsafeRawBufferPointer) -> Int {
        var rest = bytes[...]
        while !rest.isEmpty, let event = reader.next(&rest) {
            switch event {
            case .ready: crowd.isReady()
            case .reply(let bytes): connection?.write(bytes)
            case .frame(let seq): count(seq)
            case .other: break
            }
        }
        return rest.count
    }

    private func count(_ seq: Int?) {
        crowd.count.frames += 1
        if let lastSeq, seq != lastSeq + 1 { crowd.count.misplaced += 1 }
        lastSeq = seq
        crowd.arrived(number)
    }
}

/// The frames that clients have received.
struct FrameCount: Sendable {
    var frames = 0
    /// Frames whose number does not follow the previous one: a frame was lost, duplicated or out of order.
    var misplaced = 0
}
