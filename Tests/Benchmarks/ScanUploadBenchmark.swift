import ArgumentParser
import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import TestSupport
import WireClient

/// Batches of five photos of 10 MB in base64: how quickly one is accepted, and how much memory twenty concurrent
/// batches use.
struct ScanUploadBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan-upload", abstract: "Photos in base64, in successive and in concurrent batches")

    /// Size of a photo in bytes, below the limit of 10 MiB.
    private static let photoBytes = 10_000_000
    private static let photos = 5

    @Option(help: "Number of batches sent one after another.")
    var batches = 10
    @Option(help: "Number of batches sent concurrently.")
    var atOnce = 20

    func run() async throws {
        let options = Suite.Options(settings: [
            "BOOKSTRACK_GEMINI_API_KEY": "a-key", "BOOKSTRACK_LOG_LEVEL": "warning",
            "BOOKSTRACK_TRUSTED_PROXIES": "127.0.0.1/32", "BOOKSTRACK_MAX_UPLOAD_BYTES_TOTAL": "\(8 << 30)",
        ])
        let body = Self.body()
        try await Suite.run(options) { suite in
            let rest = try Memory(suite)
            var times: [Double] = []
            for _ in 0..<batches {
                let start = ContinuousClock.now
                _ = try await Self.send(body, from: "203.0.113.1", suite)
                times.append((ContinuousClock.now - start).seconds)
            }
            let bytes = Double(Self.photos * Self.photoBytes) / 1_000_000
            Figure(
                name: "batch of 50 MB in base64: POST -> 202, median", value: bytes / times.sorted()[times.count / 2],
                unit: "MB/s", target: 150, direction: .atLeast
            ).report()
            let single = try Memory(suite)
            Figure(
                name: "memory of api-proxy for one upload", value: single.megabytes(\.proxy, beyond: rest), unit: "MB",
                target: 16
            ).report()
            let start = ContinuousClock.now
            let jobs = try await withThrowingTaskGroup { group in
                for number in 0..<atOnce {
                    group.addTask { try await Self.send(body, from: "203.0.113.\(number + 2)", suite) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let seconds = (ContinuousClock.now - start).seconds
            Figure(
                name: "\(atOnce) concurrent batches: POST -> last 202", value: bytes * Double(atOnce) / seconds,
                unit: "MB/s"
            ).report()
            let many = try Memory(suite)
            Figure(
                name: "memory of api-proxy for each concurrent batch",
                value: many.megabytes(\.proxy, beyond: rest) / Double(atOnce), unit: "MB", target: 16
            ).report()
            for job in jobs { try await Self.end(job, suite) }
            let end = try Memory(suite)
            for (name, process) in [("api-proxy", \Memory.proxy), ("progress-host", \.host), ("worker", \.worker)] {
                Figure(
                    name: "peak memory until photos are read, \(name)", value: end.megabytes(process), unit: "MB"
                )
                .report()
            }
        }
    }

    /// Peak memory of the three services, in bytes.
    private struct Memory {
        var proxy: Int
        var host: Int
        var worker: Int

        init(_ suite: Suite) throws {
            proxy = try KernelUsage(of: suite.proxy).peak
            host = try KernelUsage(of: suite.host).peak
            worker = try KernelUsage(of: suite.worker).peak
        }

        func megabytes(_ process: KeyPath<Memory, Int>, beyond other: Memory? = nil) -> Double {
            Double(self[keyPath: process] - (other?[keyPath: process] ?? 0)) / 1_000_000
        }
    }

    private static func body() -> ByteBuffer {
        var body = ByteBuffer(string: "{\"images\":[")
        for number in 0..<photos {
            let photo = SampleImage.jpeg.file + Array(repeating: UInt8(number), count: photoBytes - 1_000)
            body.writeString("\(number == 0 ? "" : ",")\n{\"index\":\(number),\"data\":\"")
            body.writeString(Data(photo).base64EncodedString())
            body.writeString("\"}")
        }
        body.writeString("]}")
        return body
    }

    /// Sends a batch over its own connection.
    private static func send(_ body: ByteBuffer, from address: String, _ suite: Suite) async throws -> StartedBatchScan
    {
        let client = HTTPClient(address: suite.address)
        let headers: HTTPHeaders = ["Content-Type": "application/json", "X-Forwarded-For": address]
        let started: StartedBatchScan = try await APIClient(client).answer(
            to: HTTPCall(.POST, "/v1/scan/batch", headers: headers, body: body, timeout: .seconds(120)))
        await client.shutdown()
        return started
    }

    private static func end(_ job: StartedBatchScan, _ suite: Suite) async throws {
        while try await !suite.api.state(of: job.jobId, token: job.token).status.isTerminal {
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
