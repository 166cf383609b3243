import NIOCore

/// The members of one small JSON object by name, for the few objects that JSON-RPC itself defines.
struct ObjectReader {
    private let json: ByteBuffer
    private var members: [String: MemberCursor.Member] = [:]

    /// nil when `json` is not one whole object.
    init?(_ json: ByteBuffer) {
        self.json = json
        guard
            let members = json.withUnsafeReadableBytes({ bytes -> [String: MemberCursor.Member]? in
                var members: [String: MemberCursor.Member] = [:]
                do throws(ScanFault) {
                    var cursor = try MemberCursor(bytes)
                    while let member = try cursor.next() {
                        members[JSONString.decode(bytes[member.key], hasEscapes: member.keyHasEscapes)] = member
                    }
                    try cursor.finish()
                    return members
                } catch {
                    return nil
                }
            })
        else { return nil }
        self.members = members
    }

    /// The raw bytes of a value of any kind.
    func json(_ name: String) -> ByteBuffer? {
        members[name].flatMap { json.slice(of: $0.value) }
    }

    /// The raw bytes of an object.
    func object(_ name: String) -> ByteBuffer? {
        members[name]?.kind == .object ? json(name) : nil
    }

    func string(_ name: String) -> String? {
        guard let member = members[name], member.kind == .string else { return nil }
        return json.decodeString(member.value)
    }

    func integer(_ name: String) -> Int? {
        guard let member = members[name], member.kind == .number else { return nil }
        return json.slice(of: member.value).flatMap { Int(String(buffer: $0)) }
    }
}
