import BookstrackContract
import Foundation
import JSONRPC
import LibraryImport
import NIOConcurrencyHelpers
import NIOCore
import ProviderClient
import SuiteMethods

/// Answers previews, two at once (imports.md "Preview").
final class ImportPreviews: Sendable {
    /// Reads the file at a path, with what a model has said about its columns.
    typealias Reader = @Sendable (String, ImportOptions, MappingAnswer?) throws -> ImportPreview

    /// Previews that are made at once.
    private static let atOnce = 2
    /// How long a preview waits for a model: what is left of ``PreviewImport/deadline`` is enough to read the file.
    private static let patience = Duration.seconds(4)

    private let underWay = NIOLockedValueBox(0)
    private let limits: TableLimits
    /// Nil where no model is asked.
    private let mappings: MappingCaller?
    private let read: Reader

    init(limits: TableLimits = TableLimits(), mappings: MappingCaller? = nil) {
        self.limits = limits
        self.mappings = mappings
        read = { path, options, answer in
            try LibraryReading(LibraryTable(path: path, limits: limits), options: options, answer: answer).preview()
        }
    }

    /// - Parameter read: Injected for tests.
    init(read: @escaping Reader) { (limits, mappings, self.read) = (TableLimits(), nil, read) }

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
        // A caller that gives up does not make room: its file is read to the end, and a model's answer is kept.
        let preview = Task {
            defer { underWay.withLockedValue { $0 -= 1 } }
            return try await self.preview(of: parameters.path, options)
        }
        do {
            return try BodyCoding.encode(await preview.value)
        } catch {
            guard let fault = ImportFault(error) else { throw error }
            throw try fault.refusal
        }
    }

    private func preview(of path: String, _ options: ImportOptions) async throws -> ImportPreview {
        var answer: MappingAnswer?
        if let mappings, mappings.canAsk, options.mayAsk {
            let question = await Self.onThread { [limits] in
                try LibraryReading(LibraryTable(path: path, limits: limits), options: options).question()
            }
            if let question = try question.get() {
                answer = await mappings.answer(to: question, priority: .interactive, within: Self.patience)?.answer
            }
        }
        return try await Self.onThread { [read, answer] in try read(path, options, answer) }.get()
    }

    private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: Result { try body() }) }
            thread.name = "library-preview"
            thread.start()
        }
    }
}
