import BookstrackContract
import Foundation
import JSONRPC
import NIOPosix
import ServiceKit
import SuiteMethods

/// Finds covers in the data directory, and asks enrichment-worker only for those that are not there: what is kept serves while it is
/// away.
struct CoverLink: Sendable {
    /// A picture may be evicted between the worker's answer and its opening; once is bad luck, twice a disk that is too small.
    private static let tries = 2

    let workers: WorkerLinks
    /// Where the worker keeps covers.
    let directory: String
    let threads: NIOThreadPool
    /// The time that is noted as a picture's last use.
    let now: @Sendable () -> Date

    init(
        workers: WorkerLinks, directory: String, threads: NIOThreadPool = .singleton,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.workers = workers
        self.directory = directory
        self.threads = threads
        self.now = now
    }

    /// - Parameter address: The cover's address as the client gave it.
    /// - Throws: `APIFailure` for an address that is not served, or when the worker is away; `RPCError` of the worker.
    func find(_ address: String, _ size: CoverSize) async throws -> CoverFile {
        let name: CoverName
        do throws(CoverAddress.Refusal) {
            name = try CoverAddress(address).name(size)
        } catch {
            throw APIFailure(error.code, error.message, details: ["parameter": .text("url")])
        }
        if let file = try await open(name) { return file }
        for _ in 0..<Self.tries {
            let fetched = try await fetch(.init(url: address, size: size))
            if let file = try await open(fetched.file) { return file }
        }
        throw APIFailure.coversUnavailable
    }

    private func open(_ name: CoverName) async throws -> CoverFile? {
        try await threads.runIfActive { [directory, now] in CoverFile(name, in: directory, now: now()) }
    }

    private func fetch(_ parameters: FetchCover.Parameters) async throws -> FetchCover.Result {
        do throws(RPCError) {
            return try await workers.call(FetchCover.self, parameters)
        } catch {
            guard error.applicationCode == nil else { throw error }
            if case .deadlineExceeded = error.kind {
                throw APIFailure(.providerTimeout, "The cover's host did not answer in time.")
            }
            throw APIFailure.coversUnavailable
        }
    }
}

extension APIFailure {
    /// The picture is not kept, and enrichment-worker is not there to bring it.
    fileprivate static let coversUnavailable = APIFailure(
        .serviceUnavailable, "The cover is temporarily unavailable. Please try again.", retryAfter: 2)
}
