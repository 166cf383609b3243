import BookstrackContract
import HTTPTypes
import Hummingbird

/// Reads request bodies that hold JSON; the limit is enforced while they stream in (spec/02, spec/07 "Body limits").
struct JSONBodies: Sendable {
    /// Longest body, in bytes.
    static let limit = 16 << 20

    /// Longest body, in bytes, that is parsed on the event loop it came from; a longer one would hold up the loop's sockets.
    private static let longestOnLoop = 64 << 10

    private let budget: BodyBudget

    init(budget: BodyBudget) { self.budget = budget }

    /// Reads a body and hands its bytes to `parse`. Throws 413, 415, or what `parse` throws.
    func read<Value>(_ request: Request, _ parse: ([UInt8]) throws -> Value) async throws -> Value {
        try Self.checkType(request.headers[.contentType])
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.limit {
            throw Self.tooLarge
        }
        var bytes: [UInt8] = []
        defer { budget.giveBack(bytes.count) }
        for try await chunk in request.body {
            guard bytes.count + chunk.readableBytes <= Self.limit else { throw Self.tooLarge }
            try budget.take(chunk.readableBytes)
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        guard bytes.count > Self.longestOnLoop else { return try parse(bytes) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try parse(bytes) }
    }

    /// As `read`, but an empty body is nil, whatever its type: generated clients name a type although they send nothing.
    func readIfPresent<Value>(_ request: Request, _ parse: ([UInt8]) throws -> Value) async throws -> Value? {
        try await read(request) { $0.isEmpty ? nil : try parse($0) }
    }

    private static var tooLarge: APIFailure {
        var failure = APIFailure(
            .fileTooLarge, "The body is larger than \(limit >> 20) MiB.", details: ["limit": .integer(limit)])
        failure.closesConnection = true
        return failure
    }

    /// A body without a type is taken for what it has to be (RFC 9110 §8.3).
    private static func checkType(_ field: String?) throws(APIFailure) {
        guard let field else { return }
        let parts = field.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\"" } }
        guard let type = parts.first,
            type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json"),
            parts.dropFirst().allSatisfy({ !$0.hasPrefix("charset=") || $0 == "charset=utf-8" })
        else { throw unsupported }
    }

    private static let unsupported = APIFailure(
        .unsupportedMediaType, "The body must be application/json in UTF-8.", details: ["accepted": "application/json"])
}
