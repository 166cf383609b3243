extension JSONValue {
    /// What `mask` asks for, in the order of the document. The members of each of an array's objects are chosen alike.
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
