/// Reads the tab-separated tables embedded in the module.
///
/// The first line contains the column names, lines that begin with `#` are headings, and a line may leave out empty fields at its end.
/// `LibraryImport` and `ProviderEmulator` have readers of their own, because the modules shared with this one are for ISBNs, wire types and JSON.
enum EmbeddedTable {
    /// The rows, each with at least one field.
    static func rows(of file: [UInt8]) -> [[String]] {
        String(decoding: file, as: UTF8.self).split(separator: "\n").dropFirst().filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }
}
