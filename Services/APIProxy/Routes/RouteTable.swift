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
                patterns[index].entry.add(methods, route.limit)
            } else {
                plain[route.path, default: entry].add(methods, route.limit)
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

    private static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: true)
    }

    private static func matches(_ pattern: [Substring], _ path: [Substring]) -> Bool {
        pattern.count == path.count && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

extension RouteTable.Entry {
    fileprivate mutating func add(_ methods: [HTTPRequest.Method], _ limit: RequestClass) {
        self.methods += methods
        for method in methods { limits[method] = limit }
    }
}
