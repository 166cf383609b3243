import BookstrackClient
import BookstrackContract
import Foundation

extension LibraryFile {
    /// Reads the file named by an argument, or standard input if the argument is `-`. Throws `CommandFailure`.
    init(
        argument file: String, format: LibraryFormat? = nil, mapping: [MappingArgument] = [], mayAskModel: Bool = true
    ) throws {
        let input = try InputFile(argument: file)
        guard !input.bytes.isEmpty else { throw CommandFailure(.badInput, "\(file) is empty") }
        self.init(
            name: input.isRegular ? URL(filePath: file).lastPathComponent : "library.csv", content: input.bytes,
            columns: Dictionary(mapping.map { ($0.column, $0.role) }, uniquingKeysWith: { $1 }), format: format,
            mayAskModel: mayAskModel)
    }
}
