import Foundation
import HTTPTypes
import Hummingbird
import NIOHTTP1

/// One route of the public or the admin listener. `ProxyServices` lists all of them, and `OperationCatalog` describes the public ones except the
/// console's.
struct Route: Sendable {
    typealias Handler = @Sendable (Request, ProxyContext) async throws -> Response

    var method: HTTPRequest.Method
    /// A path whose segments in braces match anything.
    var path: String
    /// The limit that requests for the route count against.
    var limit: RequestClass
    /// Called by the router; nil if ``loopHandler`` answers every request.
    var handler: Handler?
    /// Called before ``handler``, only for routes with the method GET or POST; nil if the router answers every request.
    var loopHandler: LoopHandler?

    /// The methods that the route answers: a GET route also answers HEAD (RFC 9110 §9.1), with the same response but without its body.
    var methods: [HTTPRequest.Method] { method == .get ? [.get, .head] : [method] }

    init(
        _ method: HTTPRequest.Method, _ path: String, limit: RequestClass = .ordinary, _ handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.limit = limit
        self.handler = handler
    }

    /// A route whose requests are all answered on the event loops of their connections.
    init(
        onLoop path: String, method: HTTPRequest.Method = .get, limit: RequestClass, _ handler: @escaping LoopHandler
    ) {
        self.method = method
        self.path = path
        self.limit = limit
        loopHandler = handler
    }
}

/// The routes of each path, for example for limits, 405 responses and `OPTIONS`. The router does not expose them.
struct RouteTable: Sendable {
    /// The routes of one path.
    struct Entry: Sendable {
        /// The path as declared; segments in braces match anything.
        let path: String
        /// The metrics label of requests for the path.
        let label: RouteLabel
        /// The methods in the order of declaration.
        var methods: [HTTPRequest.Method] = []
        fileprivate var limits: [HTTPRequest.Method: RequestClass] = [:]
        /// Answers GET and HEAD on the event loop.
        fileprivate var readingHandler: LoopHandler?
        /// Answers POST on the event loop.
        fileprivate var postingHandler: LoopHandler?

        fileprivate init(path: String, label: RouteLabel) {
            self.path = path
            self.label = label
        }

        /// The class of a request to this path; `ordinary` for a method that the path does not support.
        func limit(of method: HTTPRequest.Method) -> RequestClass { limits[method] ?? .ordinary }

        /// The handler that answers requests with a method on the event loop; nil if the router answers them.
        func loopHandler(of method: HTTPMethod) -> LoopHandler? {
            switch method {
            case .GET, .HEAD: readingHandler
            case .POST: postingHandler
            default: nil
            }
        }
    }

    private struct Pattern {
        var segments: [Substring]
        var entry: Entry
    }

    /// The entries of paths without braces; they are looked up first.
    private var plain: [String: Entry] = [:]
    private var patterns: [Pattern] = []

    /// - Parameter labels: Labels by path.
    init(_ routes: [Route], labels: [String: RouteLabel]) {
        for route in routes {
            let entry = Entry(path: route.path, label: labels[route.path] ?? .unknown)
            if route.path.contains("{") {
                let segments = Self.segments(of: route.path)
                let index = patterns.firstIndex { $0.segments == segments } ?? patterns.endIndex
                if index == patterns.endIndex {
                    patterns.append(Pattern(segments: segments, entry: entry))
                }
                patterns[index].entry.add(route)
            } else {
                plain[route.path, default: entry].add(route)
            }
        }
    }

    /// The routes of a path; nil for an unknown path. Empty segments are ignored, as they are by the router.
    func entry(at path: String) -> Entry? {
        if let entry = plain[path] { return entry }
        return plain[Self.normalized(path)]
            ?? patterns.first { Self.matches($0.segments, Self.segments(of: path)) }?.entry
    }

    /// The path without empty segments.
    static func normalized(_ path: String) -> String { "/" + segments(of: path).joined(separator: "/") }

    fileprivate static func segments(of path: some StringProtocol) -> [Substring] {
        Substring(path).split(separator: "/", omittingEmptySubsequences: true)
    }

    private static func matches(_ pattern: [Substring], _ path: [Substring]) -> Bool {
        pattern.count == path.count && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

extension RouteTable.Entry {
    fileprivate mutating func add(_ route: Route) {
        methods += route.methods
        for method in route.methods { limits[method] = route.limit }
        guard let handler = route.loopHandler else { return }
        if route.method == .post { postingHandler = handler } else { readingHandler = handler }
    }

    /// The segment of `path` for the parameter that the route declares as `{name}`; nil if there is none.
    func parameter(_ name: String, in path: String) -> Substring? {
        zip(RouteTable.segments(of: self.path), RouteTable.segments(of: path)).first { $0.0 == "{\(name)}" }?.1
    }
}

/// The header fields of responses from a deprecated route (http-api.md "Envelope").
struct Deprecation: Sendable {
    /// Path of the route that replaces it.
    let successor: String
    /// When the route will be removed (`BOOKSTRACK_SUNSET`).
    let sunset: Date

    /// The fields of a response sent at `now`. The routes have been deprecated since the contract of 2025-11-15 (RFC 9745). A sunset that has passed
    /// is not announced (http-api.md "Envelope"), since it would mean that the route is gone (RFC 8594 §3).
    func fields(at now: Date = .now) -> HTTPFields {
        var fields: HTTPFields = [
            .known("Deprecation"): "@1763164800",
            .known("Link"): "<\(successor)>; rel=\"successor-version\"",
        ]
        if sunset > now { fields[.known("Sunset")] = HTTPDate.text(second: Int(sunset.timeIntervalSince1970)) }
        return fields
    }
}
