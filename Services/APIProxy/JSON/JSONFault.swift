/// Why a body is not JSON, and where (http-api.md "Validation").
struct JSONFault: Error, Equatable {
    /// What is wrong, as a noun phrase or short clause.
    var reason: String
    /// Bytes before the fault.
    var offset: Int
    /// Line, from 1.
    var line: Int
    /// Character column in the line, counted in bytes from 1.
    var column: Int

    /// Locates `offset` in `bytes`.
    init(_ reason: String, at offset: Int, in bytes: some Collection<UInt8>) {
        self.reason = reason
        self.offset = offset
        line = 1
        column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
    }
}
