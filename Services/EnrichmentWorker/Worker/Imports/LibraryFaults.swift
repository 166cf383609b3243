import BookstrackContract
import JSONRPC
import LibraryImport
import NIOCore

extension ImportOptions {
    /// Decodes the options of an import or a preview; throws `DecodingError`.
    init(json: String) throws { self = try BodyCoding.decode(ImportOptions.self, from: ByteBuffer(string: json)) }
}

extension ImportFault {
    /// Why a file cannot be read; nil for an error that is not caused by the file.
    init?(_ error: any Error) {
        switch error {
        case let failure as ImportFailure: self.init(failure)
        case let fault as LibraryFileFault: self.init(.file(fault))
        default: return nil
        }
    }

    private init(_ failure: ImportFailure) {
        switch failure {
        case .file(.tooManyRows(let rows, let limit)):
            self.init(.batchTooLarge, failure.sentence)
            (self.rows, self.limit) = (rows, limit)
        case .file(.unreadable): self.init(.processingFailed, failure.sentence)
        case .noUsableColumn(let found):
            self.init(.csvParseError, failure.sentence)
            columns = found
        case .mapping(.unknownColumns(let unknown)):
            self.init(.csvParseError, failure.sentence)
            columns = unknown
        case .file, .headerOnly, .mapping:
            self.init(.csvParseError, failure.sentence, lineNumber: failure.lineNumber)
        }
    }

    /// The response to a preview of the file. Throws `EncodingError`.
    var refusal: RPCApplicationError {
        get throws {
            RPCApplicationError(code: code.rawValue, message: message, details: try BodyCoding.encode(self))
        }
    }
}
