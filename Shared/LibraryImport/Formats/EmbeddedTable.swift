/// The embedded tables: lines of tab-separated fields. Empty lines and lines that begin with `#` are skipped.
enum EmbeddedTable {
    static func rows(of bytes: [UInt8]) -> [[String]] {
        bytes.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }.map { line in
            line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}
