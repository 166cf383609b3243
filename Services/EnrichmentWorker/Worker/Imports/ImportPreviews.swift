import BookstrackContract
import Foundation
import JSONRPC
import LibraryImport
import NIOConcurrencyHelpers
import NIOCore
import ProviderClient
import SuiteMethods

/// Handles previews, at most two at a time (imports.md "Preview").
final class ImportPreviews: Sendable {
    /// Opens the file at a path, with a model's answer about its columns if there is one.
    typealias Opener = @Sendable (String, ImportOptions, MappingAnswer?) throws -> LibraryReading

    /// The result of reading a file before a model is queried.
    private enum FirstLook {
        case preview(ImportPreview)
        case question(MappingQuestion)
    }

    /// Maximum number of concurrent previews.
    private static let atOnce = 2
    /// How long a preview waits for a model; the rest of ``PreviewImport/deadline`` is for reading the file.
    private static let modelTimeout = Duration.seconds(4)

    private let underWay = NIOLockedValueBox(0)
    /// Queries a model about columns; nil if no model is queried.
    private let mappings: MappingCaller?
    private let open: Opener

    init(limits: TableLimits = TableLimits(), mappings: MappingCaller? = nil) {
        self.mappings = mappings
        open = { path, options, answer in
            try LibraryReading(LibraryTable(path: path, limits: limits), options: options, answer: answer)
        }
    }

    /// - Parameter open: Injected for tests.
    init(open: @escaping Opener) { (mappings, self.open) = (nil, open) }

    /// Number of previews in progress.
    var count: Int { underWay.withLockedValue { $0 } }

    /// The preview as JSON. Throws `RPCApplicationError` for invalid options, if too many previews are in progress, and if the file is refused.
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
                code: APIErrorCode.serviceUnavailable.rawValue, message: "too many previews are in progress",
                retryAfterSeconds: 1)
        }
        // The preview of a caller that gives up still counts: the file is read to the end, and a model's answer is stored.
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
        let engine = options.mayAsk ? mappings.flatMap { $0.canAsk ? $0 : nil } : nil
        let asks = engine != nil
        let look = await Self.onThread { [open] in
            let reading = try open(path, options, nil)
            if asks, let question = try reading.question() { return FirstLook.question(question) }
            return .preview(try reading.preview())
        }
        switch try look.get() {
        case .preview(let preview): return preview
        case .question(let question):
            let mapping = await engine?.answer(to: question, priority: .interactive, within: Self.modelTimeout)
            return try await Self.onThread { [open] in try open(path, options, mapping?.answer).preview() }.get()
        }
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
