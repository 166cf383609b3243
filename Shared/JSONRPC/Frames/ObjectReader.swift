package import NIOCore

/// The members of one small JSON object by name, for objects that are read too often for a `Decoder`.
package struct ObjectReader {
    private let json: ByteBuffer
    private var members: [String: MemberCursor.Member] = [:]

    /// nil when `json` is not one whole object.
    package init?(_ json: ByteBuffer) {
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
    package func json(_ name: String) -> ByteBuffer? {
        members[name].flatMap { json.slice(of: $0.value) }
    }

    /// The raw bytes of an object.
    package func object(_ name: String) -> ByteBuffer? {
        members[name]?.kind == .object ? json(name) : nil
    }

    package func string(_ name: String) -> String? {
        guard let member = members[name], member.kind == .string else { return nil }
        return json.decodeString(member.value)
    }

    package func integer(_ name: String) -> Int? {
        guard let member = members[name], member.kind == .number else { return nil }
        return json.slice(of: member.value).flatMap { Int(String(buffer: $0)) }
    }

    package func boolean(_ name: String) -> Bool? {
        guard let member = members[name], member.kind == .boolean else { return nil }
        return json.getInteger(at: json.readerIndex + member.value.lowerBound) == UInt8(ascii: "t")
    }
}
