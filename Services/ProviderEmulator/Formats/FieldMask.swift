/// The members of a response that a client requests: Google's partial-response `fields=` syntax
/// (`totalItems,items(id,volumeInfo(title,authors))`, `items/id`, `*`), of which Open Library's comma-separated list is a special case.
struct FieldMask: Equatable, Sendable {
    /// The requested members by name; empty for all.
    private(set) var children: [String: FieldMask] = [:]

    static let everything = FieldMask()

    /// A mask for a flat list of names.
    init(names: [String] = []) {
        for name in names { children[name] = .everything }
    }

    init(_ text: String) {
        var rest = Substring(text)
        self = Self.list(from: &rest, depth: 0)
    }

    /// The mask of the member `name`; nil if it was not requested.
    func selecting(_ name: String) -> FieldMask? {
        if children.isEmpty || children["*"] != nil { return children[name] ?? .everything }
        return children[name]
    }

    private static let maximumDepth = 16

    private static func list(from rest: inout Substring, depth: Int) -> FieldMask {
        var mask = FieldMask()
        while !rest.isEmpty {
            let name = String(rest.prefix { !",()/".contains($0) })
            rest.removeFirst(name.count)
            let below = below(&rest, depth: depth)
            if !name.isEmpty { mask.children[name, default: .everything].merge(below) }
            guard rest.first == "," else { break }
            rest.removeFirst()
        }
        return mask
    }

    private static func below(_ rest: inout Substring, depth: Int) -> FieldMask {
        guard depth < maximumDepth else { return .everything }
        switch rest.first {
        case "/":
            rest.removeFirst()
            let name = String(rest.prefix { !",()/".contains($0) })
            rest.removeFirst(name.count)
            var mask = FieldMask()
            mask.children[name] = below(&rest, depth: depth + 1)
            return mask
        case "(":
            rest.removeFirst()
            let mask = list(from: &rest, depth: depth + 1)
            if rest.first == ")" { rest.removeFirst() }
            return mask
        default: return .everything
        }
    }

    private mutating func merge(_ other: FieldMask) {
        for (name, mask) in other.children { children[name, default: .everything].merge(mask) }
    }
}

extension JSONValue {
    /// The parts that `mask` selects, in document order. For an array, the mask applies to each of its objects.
    func masked(by mask: FieldMask) -> JSONValue {
        guard mask != .everything else { return self }
        switch self {
        case .object(let members):
            return .object(
                members.compactMap { member in
                    mask.selecting(member.name).map { Member(name: member.name, value: member.value.masked(by: $0)) }
                })
        case .array(let elements): return .array(elements.map { $0.masked(by: mask) })
        default: return self
        }
    }
}
