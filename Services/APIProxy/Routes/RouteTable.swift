import HTTPTypes

/// What there is at a path: what the router itself cannot say, and limits, 405 and `OPTIONS` need.
struct RouteTable: Sendable {
    /// The routes of one path.
    struct Entry: Sendable {
        /// As declared; segments in braces match anything.
        let path: String
        /// What its requests are counted under.
        let label: RouteLabel
        /// In the order of declaration.
        var methods: [HTTPRequest.Method] = []
        fileprivate var limits: [HTTPRequest.Method: RequestClass] = [:]
        /// What answers GET and HEAD on the event loop.
        fileprivate(set) var loopHandler: LoopHandler?

        fileprivate init(path: String, label: RouteLabel) {
            self.path = path
            self.label = label
        }

        /// The class of a request to this path; with a method that the path does not take it is an ordinary one.
        func limit(of method: HTTPRequest.Method) -> RequestClass { limits[method] ?? .ordinary }
    }

    private struct Pattern {
        var segments: [Substring]
        var entry: Entry
    }

    /// Paths without braces, which are most requests' paths.
    private var plain: [String: Entry] = [:]
    private var patterns: [Pattern] = []

    /// - Parameter labels: Of the routes' paths.
    init(_ routes: [Route], labels: [String: RouteLabel]) {
        for route in routes {
            let entry = Entry(path: route.path, label: labels[route.path] ?? .unknown)
            // A GET route answers HEAD too (RFC 9110 §9.1).
            let methods: [HTTPRequest.Method] = route.method == .get ? [.get, .head] : [route.method]
            if route.path.contains("{") {
                let segments = Self.segments(of: route.path)
                let index = patterns.firstIndex { $0.segments == segments } ?? patterns.endIndex
                if index == patterns.endIndex {
                    patterns.append(Pattern(segments: segments, entry: entry))
                }
                patterns[index].entry.add(methods, route)
            } else {
                plain[route.path, default: entry].add(methods, route)
            }
        }
    }

    /// What there is at a path; nil for an unknown one. Empty segments do not count, as in the router.
    func entry(at path: String) -> Entry? {
        if let entry = plain[path] { return entry }
        let segments = Self.segments(of: path)
        return plain["/" + segments.joined(separator: "/")]
            ?? patterns.first { Self.matches($0.segments, segments) }?.entry
    }

    fileprivate static func segments(of path: some StringProtocol) -> [Substring] {
        Substring(path).split(separator: "/", omittingEmptySubsequences: true)
    }

    private static func matches(_ pattern: [Substring], _ path: [Substring]) -> Bool {
        pattern.count == path.count && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

extension RouteTable.Entry {
    fileprivate mutating func add(_ methods: [HTTPRequest.Method], _ route: Route) {
        self.methods += methods
        for method in methods { limits[method] = route.limit }
        if let handler = route.loopHandler { loopHandler = handler }
    }

    /// The segment of a path of this route that the route names so.
    func parameter(_ name: String, in path: String) -> Substring? {
        zip(RouteTable.segments(of: self.path), RouteTable.segments(of: path)).first { $0.0 == "{\(name)}" }?.1
    }
}
