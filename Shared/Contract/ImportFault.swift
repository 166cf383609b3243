/// Why a file could not be imported: the `error` frame of the job, or the 400 of a preview (imports.md "Failures").
public struct ImportFault: Codable, Sendable, Equatable {
    /// The kind of fault.
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// The file cannot be read as a list of books, or the client's `mapping` does not fit it.
        case csvParseError = "CSV_PARSE_ERROR"
        /// The file has too many rows.
        case batchTooLarge = "BATCH_TOO_LARGE"
        /// The upload or its options could not be read, rows could not be stored, several attempts lost their worker, or the job's deadline passed.
        case processingFailed = "PROCESSING_FAILED"
    }

    /// The kind of fault, as a stable code.
    public var code: Code
    /// Text for users that states what is wrong, in some cases with what to do about it.
    public var message: String
    /// Line of the file at which reading stopped, from 1.
    public var lineNumber: Int?
    /// Number of rows in the file, if there are too many.
    public var rows: Int?
    /// Maximum number of rows in a file, if the file has more.
    public var limit: Int?
    /// The file's columns (headers, or numbers from 0), or the columns in a `mapping` that do not exist in the file.
    public var columns: [String]?

    /// Creates a fault.
    public init(_ code: Code, _ message: String, lineNumber: Int? = nil) {
        self.code = code
        self.message = message
        self.lineNumber = lineNumber
    }
}

/// The current phase of reading a library file; selects the strings of progress frames.
public enum ImportPhase: String, Codable, Sendable, CaseIterable {
    /// The file's encoding and columns are being recognized.
    case parsing
    /// The file is being searched for duplicate rows.
    case validating
    /// Books are being delivered.
    case saving

    /// Decodes a name; an unknown name is treated as `parsing`.
    public init(from decoder: any Decoder) throws {
        self = ImportPhase(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .parsing
    }
}
