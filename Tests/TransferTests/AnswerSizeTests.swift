import Foundation
import TestSupport
import Testing
import Transfer

@Suite("Sizes and compression of responses", .timeLimit(.minutes(1)))
struct AnswerSizeTests {
    @Test("a response truncated at its limit is used if the request allows truncation", arguments: [true, false])
    func cutAnswer(hasLength: Bool) async throws {
        try await FaultServer.with { _, _ in
            let length = hasLength ? ["Content-Length: 1000000000"] : []
            return [.send(FaultStep.head(201, headers: length)), .sendZeros(1_000_000_000)]
        } _: { server in
            let engine = try TransferEngineTests.engine()
            let answer = try await engine.perform(
                TransferRequest(url: server.baseURL, answerLimit: 1_024, cutsAnswer: true))
            #expect(answer.status == 201)
            #expect(answer.body.count == 1_024)
            await server.allClosed()
        }
    }

    @Test("a gzip response is decoded")
    func gzip() async throws {
        let body = Gzip.compressed(Array("The Left Hand of Darkness".utf8))
        try await FaultServer.with { _, _ in
            FaultStep.answer(headers: ["Content-Encoding: gzip"], body: body)
        } _: { server in
            let response = try await TransferEngineTests.engine().perform(TransferRequest(url: server.baseURL))
            #expect(String(decoding: response.body, as: UTF8.self) == "The Left Hand of Darkness")
            #expect(response.wireBytes == body.count)
        }
    }

    @Test("a corrupt gzip response is malformed")
    func brokenGzip() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(headers: ["Content-Encoding: gzip"], body: Array("no gzip".utf8))
        } _: { server in
            let error = await TransferEngineTests.failure(
                try TransferEngineTests.engine(), TransferRequest(url: server.baseURL))
            guard case .malformedAnswer = error else { throw Unexpected(error: error) }
        }
    }

    @Test(
        "a 20 MB response is rejected, whether or not its length is declared",
        arguments: [["Content-Length: 20000000"], []])
    func tooLarge(headers: [String]) async throws {
        try await FaultServer.with { _, _ in
            [.send(FaultStep.head(headers: headers)), .sendZeros(20_000_000), .close]
        } _: { server in
            let engine = try TransferEngineTests.engine()
            #expect(await TransferEngineTests.failure(engine, TransferRequest(url: server.baseURL)) == .tooLarge)
            await server.allClosed()
        }
    }

    @Test("a response larger than its request allows is rejected", arguments: [["Content-Length: 101"], []])
    func answerLimit(headers: [String]) async throws {
        try await FaultServer.with { _, _ in
            [.send(FaultStep.head(headers: headers)), .sendZeros(101), .close]
        } _: { server in
            let engine = try TransferEngineTests.engine()
            var request = TransferRequest(url: server.baseURL, answerLimit: 100)
            #expect(await TransferEngineTests.failure(engine, request) == .tooLarge)
            request.answerLimit = 101
            #expect(try await engine.perform(request).body.count == 101)
        }
    }

    @Test(
        "a gzip bomb is rejected by its compression ratio, long before it reaches the size limit",
        arguments: [true, false])
    func gzipBomb(isChunked: Bool) async throws {
        let bomb = Gzip.compressed([UInt8](repeating: 0, count: 1_000_000))
        let chunked = Array("\(String(bomb.count, radix: 16))\r\n".utf8) + bomb + Array("\r\n0\r\n\r\n".utf8)
        try await FaultServer.with { _, _ in
            isChunked
                ? [.send(FaultStep.head(headers: ["Content-Encoding: gzip", "Transfer-Encoding: chunked"]) + chunked)]
                : FaultStep.answer(headers: ["Content-Encoding: gzip"], body: bomb)
        } _: { server in
            let engine = try TransferEngineTests.engine()
            #expect(await TransferEngineTests.failure(engine, TransferRequest(url: server.baseURL)) == .tooLarge)
        }
    }

    @Test("a small response may have any compression ratio")
    func smallHighRatio() async throws {
        let zeros = [UInt8](repeating: 0, count: 200_000)
        try await FaultServer.with { _, _ in
            FaultStep.answer(headers: ["Content-Encoding: gzip"], body: Gzip.compressed(zeros))
        } _: { server in
            let response = try await TransferEngineTests.engine().perform(TransferRequest(url: server.baseURL))
            #expect(response.body.count == zeros.count)
        }
    }

    @Test("a response head of 100 kB is rejected")
    func longHead() async throws {
        let line = "X-Padding: " + String(repeating: "x", count: 1000)
        try await FaultServer.with { _, _ in
            [.send(FaultStep.head(headers: Array(repeating: line, count: 100)))]
        } _: { server in
            let engine = try TransferEngineTests.engine()
            #expect(await TransferEngineTests.failure(engine, TransferRequest(url: server.baseURL)) == .tooLarge)
        }
    }
}
