import BookstrackContract
import Foundation
import JSONRPC
import LibraryImport
import NIOConcurrencyHelpers
import NIOCore
import SuiteMethods

/// Answers previews, two at once (imports.md "Preview").
final class ImportPreviews: Sendable {
    /// Previews that are made at once.
    private static let atOnce = 2

    private let underWay = NIOLockedValueBox(0)
    private let read: @Sendable (String, ImportOptions) throws -> ImportPreview

    init(limits: TableLimits = TableLimits()) {
        read = { path, options in
            try LibraryReading(LibraryTable(path: path, limits: limits), options: options).preview()
        }
    }

    /// - Parameter read: Reads the file at a path; injected for tests.
    init(read: @escaping @Sendable (String, ImportOptions) throws -> ImportPreview) { self.read = read }

    /// Previews that are being made.
    var count: Int { underWay.withLockedValue { $0 } }

    /// The preview as JSON; throws `RPCApplicationError`.
    func answer(_ parameters: PreviewImport.Parameters) async throws -> ByteBuffer {
        guard let options = try? ImportOptions(json: parameters.options) else {
            throw RPCApplicationError(
                code: APIErrorCode.invalidRequest.rawValue, message: "the options do not have the documented shape")
        }
        let isFree = underWay.withLockedValue { count in
            guard count < Self.atOnce else { return false }
            count += 1
            return true
        }
        guard isFree else {
            throw RPCApplicationError(
                code: APIErrorCode.serviceUnavailable.rawValue, message: "too many previews are under way",
                retryAfterSeconds: 1)
        }
        // A caller that gives up does not make room: its file is read to the end.
        let preview = await Self.onThread { [underWay, read] in
            defer { underWay.withLockedValue { $0 -= 1 } }
            return Result { try read(parameters.path, options) }
        }
        do {
            return try BodyCoding.encode(preview.get())
        } catch {
            guard let fault = ImportFault(error) else { throw error }
            throw try fault.refusal
        }
    }

    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.name = "library-preview"
            thread.start()
        }
    }
}
