import HTTPTypes

/// Which methods a path takes: what the router itself cannot say, and 405 and `OPTIONS` need.
struct RouteTable: Sendable {
    private struct Entry {
        var segments: [Substring]
        var methods: [HTTPRequest.Method]
    }

    private let entries: [Entry]

    init(_ routes: [Route]) {
        var entries: [Entry] = []
        for route in routes {
            let segments = Self.segments(of: route.path)
            // A GET route answers HEAD too (RFC 9110 §9.1).
            let methods: [HTTPRequest.Method] = route.method == .get ? [.get, .head] : [route.method]
            if let index = entries.firstIndex(where: { $0.segments == segments }) {
                entries[index].methods += methods
            } else {
                entries.append(Entry(segments: segments, methods: methods))
            }
        }
        self.entries = entries
    }

    /// The methods of the route that a path belongs to; nil for an unknown path.
    func methods(of path: String) -> [HTTPRequest.Method]? {
        let segments = Self.segments(of: path)
        return entries.first { Self.matches($0.segments, segments) }?.methods
    }

    private static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: true)
    }

    private static func matches(_ pattern: [Substring], _ path: [Substring]) -> Bool {
        pattern.count == path.count && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}
