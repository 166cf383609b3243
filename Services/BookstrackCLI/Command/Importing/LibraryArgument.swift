import BookstrackClient
import BookstrackContract
import Foundation

extension LibraryFile {
    /// Reads the file of an argument, or standard input if it is `-`. Throws `CommandFailure`.
    init(
        argument file: String, format: LibraryFormat? = nil, mapping: [MappingArgument] = [], mayAskModel: Bool = true
    ) throws {
        let bytes: Data
        do {
            bytes =
                file == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data()
                : try Data(contentsOf: URL(filePath: file), options: .mappedIfSafe)
        } catch {
            throw CommandFailure(.noInput, "cannot read \(file): \(error.localizedDescription)")
        }
        guard !bytes.isEmpty else { throw CommandFailure(.badInput, "\(file) is empty") }
        self.init(
            name: file == "-" ? "library.csv" : URL(filePath: file).lastPathComponent, content: bytes,
            columns: Dictionary(mapping.map { ($0.column, $0.role) }, uniquingKeysWith: { $1 }), format: format,
            mayAskModel: mayAskModel)
    }
}
