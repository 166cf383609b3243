import BookstrackContract
import HTTPTypes
import Hummingbird
import JSON
import NIOConcurrencyHelpers
import NIOCore

/// Reads JSON request bodies; the limit is enforced while they stream in (http-api.md "Validation").
struct JSONBodies: Sendable {
    /// Maximum length of a body that is read as a whole, in bytes; routes may have lower limits.
    static let longest = 16 << 20
    /// Maximum body length, in bytes, on routes that do not start a batch (http-api.md "Validation").
    static let maxShortBytes = 64 << 10

    /// Maximum length, in bytes, of a body that is parsed on its connection's event loop; a longer one would delay the loop's sockets.
    private static let maxBytesOnLoop = 64 << 10

    let budget: BodyBudget
    let trustedProxies: TrustedProxies
    /// Maximum body length, in bytes.
    var limit = Self.longest

    /// Reads a body and passes its bytes to `parse`. Throws 413 or 415; 503 if too many bytes are in memory; or any error from the connection or from
    /// `parse`.
    func read<Value>(
        _ request: Request, _ context: ProxyContext, _ parse: ([UInt8]) throws -> Value
    ) async throws -> Value {
        var body = try held(request.headers, peer: context.peer)
        context.wantBody(of: request)
        defer { body.giveBack() }
        for try await chunk in request.body { try body.append(chunk) }
        let bytes = body.bytes
        guard bytes.count > Self.maxBytesOnLoop else { return try parse(bytes) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try parse(bytes) }
    }

    /// An empty body, to which parts are appended as they arrive. Throws 413 or 415.
    func held(_ fields: HTTPFields, peer: SocketAddress?) throws(APIFailure) -> HeldBody {
        try Self.checkType(fields[.contentType])
        try ContentCoding.checkIdentity(fields)
        if let length = fields[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        return HeldBody(self, of: trustedProxies.clientNetwork(peer: peer, fields: fields))
    }

    /// Like `read`, but returns nil for an empty body. Clients may declare a type although they send no body: generated ones JSON, others a form.
    func readIfPresent<Value>(
        _ request: Request, _ context: ProxyContext, _ parse: ([UInt8]) throws -> Value
    ) async throws -> Value? {
        guard request.headers.announceBody else { return nil }
        return try await read(request, context) { $0.isEmpty ? nil : try parse($0) }
    }

    fileprivate var tooLarge: APIFailure {
        let text = limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit >> 10) KiB"
        var failure = APIFailure(
            .fileTooLarge, "The body is larger than \(text).", details: ["limit": .integer(limit)])
        failure.closesConnection = true
        return failure
    }

    /// Names of UTF-8 in `charset`; the second one is not registered, but some clients send it.
    private static let utf8Names: Set<Substring> = ["utf-8", "utf8"]

    /// Throws 415 unless the content type is JSON in UTF-8. A body without a `Content-Type` is assumed to be JSON (RFC 9110 §8.3).
    private static func checkType(_ field: String?) throws(APIFailure) {
        guard let field else { return }
        let parts = field.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\"" } }
        guard let type = parts.first,
            type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json"),
            parts.dropFirst().allSatisfy({ !$0.hasPrefix("charset=") || utf8Names.contains($0.dropFirst(8)) })
        else { throw unsupported }
    }

    private static let unsupported = APIFailure(
        .unsupportedMediaType, "The body must be application/json in UTF-8.", details: ["accepted": "application/json"])
}

/// The bytes of a body that have arrived; they count against the budget until ``giveBack()``.
struct HeldBody {
    private(set) var bytes: [UInt8] = []
    private let bodies: JSONBodies
    private let client: ClientNetwork

    fileprivate init(_ bodies: JSONBodies, of client: ClientNetwork) {
        self.bodies = bodies
        self.client = client
    }

    /// Appends a part. Throws 413 if the body is too long, or 503 if too many bytes are in memory.
    mutating func append(_ part: ByteBuffer) throws(APIFailure) {
        guard bytes.count + part.readableBytes <= bodies.limit else { throw bodies.tooLarge }
        try bodies.budget.take(part.readableBytes, of: client)
        bytes.append(contentsOf: part.readableBytesView)
    }

    func giveBack() { bodies.budget.giveBack(bytes.count, of: client) }
}

/// Limits how many bytes of request bodies are in memory, in total and per client. The per-client limit keeps a client with many unfinished bodies
/// from blocking the others.
final class BodyBudget: Sendable {
    private struct Held {
        var total = 0
        var clients: [ClientNetwork: Int] = [:]
    }

    private let limit: Int
    private let share: Int
    private let held = NIOLockedValueBox(Held())

    /// - Parameter share: Maximum number of bytes per client.
    init(limit: Int = 256 << 20, share: Int = 2 * JSONBodies.longest) {
        self.limit = limit
        self.share = share
    }

    /// Reserves bytes. Throws 503 if they exceed a limit.
    func take(_ bytes: Int, of client: ClientNetwork) throws(APIFailure) {
        let fits = held.withLockedValue { held in
            let own = held.clients[client, default: 0] + bytes
            guard held.total + bytes <= limit, own <= share else { return false }
            held.total += bytes
            held.clients[client] = own
            return true
        }
        guard fits else {
            var failure = APIFailure(
                .serviceUnavailable, "Too many concurrent large requests. Please try again.", retryAfter: 1)
            failure.closesConnection = true
            throw failure
        }
    }

    func giveBack(_ bytes: Int, of client: ClientNetwork) {
        held.withLockedValue { held in
            guard held.clients[client] != nil else { return }
            held.total -= bytes
            held.clients.decrement(client, by: bytes)
        }
    }
}

extension HTTPFields {
    /// Whether a body follows (RFC 9112 §6.3).
    var announceBody: Bool { contains(.transferEncoding) || (self[.contentLength] ?? "0") != "0" }
}

// MARK: Members

extension JSONReader {
    /// Reads a body that must be a single JSON object, and passes each key to `member`. Throws `APIFailure`.
    static func readBody(_ bytes: [UInt8], _ member: (inout JSONReader, String) throws -> Void) throws {
        // A byte order mark may be ignored (RFC 8259 §8.1).
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        do {
            try read(bytes) { reader in
                guard try reader.peek() == .object else {
                    throw APIFailure(.invalidRequest, "The body must be a JSON object.")
                }
                try reader.readObject(member)
            }
        } catch let fault as JSONFault {
            throw APIFailure(fault, in: bytes)
        }
    }

    /// Reads a string of at most `limit` characters (`TextLimit`); null counts as absent.
    mutating func readText(at place: String, limit: Int) throws -> String? {
        let text = try readText(at: place)
        if let text, let excess = TextLimit(characters: limit).excess(of: text) {
            throw APIFailure.invalid(place, excess)
        }
        return text
    }

    /// Reads a string of any length; null counts as absent. U+0000 is refused, because a text that is read from SQLite ends there.
    private mutating func readText(at place: String) throws -> String? {
        switch try peek() {
        case .null:
            try skipValue()
            return nil
        case .string: break
        default: throw APIFailure.invalid(place, "must be a string")
        }
        let text = try readString()
        guard !text.utf8.contains(0) else { throw APIFailure.invalid(place, "must not contain the character U+0000") }
        return text
    }

    /// Reads a whole number that is not negative; null counts as absent.
    mutating func readCount(at place: String) throws -> Int? {
        guard try peek() != .null else {
            try skipValue()
            return nil
        }
        guard let count = try readInteger(), count >= 0 else {
            throw APIFailure.invalid(place, "must be a whole number of 0 or more")
        }
        return count
    }

    /// Reads a string of at most `limit` characters; null is refused.
    mutating func readRequiredText(at place: String, limit: Int) throws -> String {
        guard let text = try readText(at: place, limit: limit) else {
            throw APIFailure.invalid(place, "must be a string")
        }
        return text
    }

    /// Reads a string that must be one of the type's cases; null counts as absent.
    mutating func readCase<Value: CaseIterable & RawRepresentable<String>>(at place: String) throws -> Value? {
        guard let text = try readText(at: place, limit: 100) else { return nil }
        guard let value = Value(rawValue: text) else { throw APIFailure.invalid(place, notIn: Value.self) }
        return value
    }

    /// Reads a job's identifier of at least `shortest` characters; null counts as absent.
    mutating func readJobID(at place: String, shortest: Int = JobID.shortest) throws -> JobID? {
        guard let text = try readText(at: place) else { return nil }
        guard let id = JobID(text), text.utf8.count >= shortest else {
            throw APIFailure.invalid(place, JobID.rule(shortest: shortest))
        }
        return id
    }
}
