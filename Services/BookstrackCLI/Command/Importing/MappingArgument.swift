import ArgumentParser
import BookstrackContract

/// The meaning of a column of a library file, as given by the user: `Naam=title`, `3=isbn`.
struct MappingArgument: ExpressibleByArgument, Equatable {
    /// The column's header, or its number, counted from 0.
    let column: String
    let role: ColumnRole

    init(column: String, role: ColumnRole) {
        self.column = column
        self.role = role
    }

    /// Splits the argument at its last equals sign: a header may contain one, but the name of a role does not.
    init?(argument: String) {
        guard let separator = argument.lastIndex(of: "="), separator != argument.startIndex,
            let role = ColumnRole(rawValue: String(argument[argument.index(after: separator)...]))
        else { return nil }
        self.init(column: String(argument[..<separator]), role: role)
    }

    static var allValueStrings: [String] { ColumnRole.allCases.map { "COLUMN=\($0.rawValue)" } }
}
