import BookstrackContract
import Foundation
import Glibc
import NIOCore
import NIOPosix
import SuiteMethods
import TestSupport
import Testing
@testable import APIProxy

@Suite("Uploads over the network", .timeLimit(.minutes(2)))
struct UploadRouteTests {
    typealias Part = MultipartParserTests.Part

    private static let path = "/v1/csv/import"

    private func head(_ fields: String...) -> String {
        (["POST \(Self.path) HTTP/1.1", "Host: a", "Connection: close"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The response to a client that continues to send; its connection may still be open.
    private func firstAnswer(_ connection: RawConnection) async throws -> HTTPAnswer {
        guard case .bytes(let bytes) = try await connection.arrivals.take() else {
            throw HTTPAnswer.Malformed(bytes: [])
        }
        return try HTTPAnswer(bytes)
    }

    private func code(_ answer: HTTPAnswer) throws -> String { try answer.failure.code.rawValue }

    @Test(
        "a file arrives complete in chunks of any size, and its length is reported", arguments: [1, 7, 4_096, 70_000])
    func chunks(size: Int) async throws {
        let file = (0..<(size < 100 ? 2_000 : 700_000)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) | 1 }
        let body = MultipartParserTests.body([Part(name: "file", fileName: "a.csv", content: file)])
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(head(RunningProxy.formType, "Transfer-Encoding: chunked"))
            for start in stride(from: 0, to: body.count, by: size) {
                let chunk = body[start..<min(start + size, body.count)]
                try await connection.send(
                    Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8))
            }
            try await connection.send("0\r\n\r\n")
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(answer.status == 202)
            let started = try answer.decode(SuccessEnvelope<StartedImport>.self).data
            let kept = proxy.directory.appending(path: "uploads/\(started.jobId)/file")
            #expect(try Array(Data(contentsOf: kept)) == file)
            #expect(try await proxy.host.nextBegun().bytes == file.count)
        }
    }

    @Test("a file that is too large is refused immediately if its length is declared, and otherwise at the limit")
    func tooLarge() async throws {
        try await RunningProxy.run({ $0.maxImportBytes = 1_000 }) { proxy in
            let declared = try await RawConnection(port: proxy.port)
            try await declared.send(head("Content-Length: 1001"))
            let refused = try HTTPAnswer(try await declared.readToEnd())
            #expect(refused.status == 413)
            #expect(try refused.failure.details == ["limit": 1_000])
            #expect(refused["connection"] == "close")
            let streamed = try await RawConnection(port: proxy.port, sendsOn: true)
            try await streamed.send(
                head("Transfer-Encoding: chunked") + "3e9\r\n" + String(repeating: "a", count: 1_001))
            #expect(try await firstAnswer(streamed).status == 413)
            let form = try await proxy.post(
                Self.path, form: [Part(name: "file", content: [UInt8](repeating: 97, count: 1_001))])
            #expect(form.status == 413)
            let fits = try await proxy.post(
                Self.path, form: [Part(name: "file", content: [UInt8](repeating: 97, count: 1_000))])
            #expect(fits.status == 202)
            #expect(
                try await proxy.request("POST", Self.path, body: [UInt8](repeating: 97, count: 1_000)).status == 202)
            try await proxy.uploadsEnd()
        }
    }

    @Test("if a form is too large apart from its file, the 413 does not blame the file")
    func longForm() async throws {
        try await RunningProxy.run { proxy in
            let parts = [
                Part(name: "cover", content: [UInt8](repeating: 97, count: 200_000)),
                Part(name: "file", content: Array("Title\nEmma".utf8)),
            ]
            let answer = try await proxy.post(Self.path, form: parts)
            #expect(answer.status == 413)
            #expect(try answer.failure.message == "Apart from its files, the form is larger than 131072 bytes.")
            #expect(try answer.failure.details == ["limit": 131_072])
        }
    }

    @Test("a client that waits for 100 Continue receives a 413 if its file is too large, and the 100 otherwise")
    func expects() async throws {
        try await RunningProxy.run({ $0.maxImportBytes = 1_000 }) { proxy in
            let waiting = try await RawConnection(port: proxy.port)
            try await waiting.send(head("Expect: 100-continue", "Content-Length: 1001"))
            #expect(try HTTPAnswer(try await waiting.readToEnd()).status == 413)
            let fitting = try await RawConnection(port: proxy.port)
            try await fitting.send(head("Expect: 100-continue", "Content-Length: 3"))
            #expect(try await firstAnswer(fitting).status == 100)
            try await fitting.send("a\nb")
            #expect(try HTTPAnswer(try await fitting.readToEnd()).status == 202)
        }
    }

    @Test("a client that reads only after sending its whole file still receives the 413")
    func sendsFirst() async throws {
        try await RunningProxy.run { proxy in
            let file = [UInt8](repeating: 97, count: 12 << 20)
            for framing in ["Content-Length: \(file.count)", "Transfer-Encoding: chunked"] {
                let connection = try await RawConnection(port: proxy.port, sendsOn: true)
                try await connection.send(head(framing))
                if framing.hasPrefix("T") { try await connection.send("\(String(file.count, radix: 16))\r\n") }
                try await connection.send(file)
                #expect(try await firstAnswer(connection).status == 413)
            }
        }
    }

    @Test("a binary file is recognized by its first bytes and refused with a 415 that explains how to export a CSV")
    func otherTypes() async throws {
        try await RunningProxy.run { proxy in
            for start in [[0xFF, 0xD8, 0xFF, 0xE0], Array("PK\u{3}\u{4}".utf8), [0x1F, 0x8B], Array("%PDF-".utf8)]
                as [[UInt8]]
            {
                let file = start + [UInt8](repeating: 1, count: 100_000)
                let form = try await proxy.post(Self.path, form: [Part(name: "file", fileName: "a.csv", content: file)])
                let raw = try await proxy.request("POST", Self.path, fields: ["Content-Type: text/csv"], body: file)
                for answer in [form, raw] {
                    #expect(answer.status == 415)
                    let failure = try answer.failure
                    #expect(failure.code == .unsupportedMediaType)
                    #expect(failure.message.contains("CSV UTF-8"))
                }
            }
            let other = try await proxy.request(
                "POST", Self.path, fields: ["Content-Type: multipart/mixed; boundary=XYZ"], body: [1])
            #expect(other.status == 415)
            try await proxy.uploadsEnd()
        }
    }

    @Test(
        "a form with no file, or with a malformed structure, is refused with a 400 that states the reason",
        arguments: [
            ("", "no part"), ("--XYZ--", "no part named file"), ("--OTHER\r\n\r\na\r\n--OTHER--", "no part"),
            ("--XYZ\r\n\r\na\r\n--XYZ--", "no part named file"),
            ("--XYZ\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\na", "sent completely"),
            ("--XYZ\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n\r\n--XYZ--", "is empty"),
            ("--XYZ\r\nno field\r\n\r\na\r\n--XYZ--", "not a field"),
            ("--XYZ\r\nContent-Transfer-Encoding: base64\r\n\r\nYQ==\r\n--XYZ--", "without Content-Transfer-Encoding"),
            ("--XYZ\r\nX: " + String(repeating: "h", count: 9_000) + "\r\n\r\na\r\n--XYZ--", "longer than 8192"),
        ])
    func brokenForms(body: String, sentence: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request(
                "POST", Self.path, fields: [RunningProxy.formType], body: Array(body.utf8))
            #expect(answer.status == 400)
            #expect(try code(answer) == "INVALID_REQUEST")
            let message = try answer.failure.message
            #expect(message.contains(sentence), "\(message)")
            #expect(proxy.host.events.elements.isEmpty)
            try await proxy.uploadsEnd()
        }
    }

    @Test("forms with two files, too many parts, or overlong or undecodable strings are refused")
    func excess() async throws {
        let file = Part(name: "file", content: [97])
        try await RunningProxy.run { proxy in
            let cases: [([Part], String)] = [
                ([file, file], "was sent twice"),
                (Array(repeating: Part(name: "x"), count: 33) + [file], "more than 32 parts"),
                ([Part(name: "mapping", content: [UInt8](repeating: 97, count: 70_000)), file], "longer than 64 KiB"),
                ([Part(name: "mapping", content: [0xFF]), file], "must be UTF-8"),
            ]
            for (parts, sentence) in cases {
                let answer = try await proxy.post(Self.path, form: parts)
                #expect(answer.status == 400)
                #expect(try answer.failure.message.contains(sentence))
            }
            let beside = try await proxy.post(
                Self.path, form: [Part(name: "x", content: [UInt8](repeating: 97, count: 140_000)), file])
            #expect(beside.status == 413)
            try await proxy.uploadsEnd()
        }
    }

    @Test("a form with 100 000 parts is refused at the limit on parts, not by a timeout")
    func flood() async throws {
        let part = "--XYZ\r\n\r\n\r\n"
        let body = Array(String(repeating: part, count: 100_000).utf8)
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port, sendsOn: true)
            try await connection.send(head(RunningProxy.formType, "Content-Length: \(body.count)"))
            // The server closes the connection while the body is being sent.
            try? await connection.send(body)
            let answer = try await firstAnswer(connection)
            #expect(answer.status == 400)
            #expect(try answer.failure.message.contains("more than 32 parts"))
            try await proxy.uploadsEnd()
        }
    }

    @Test(
        "a boundary that is missing, empty, too long or not printable is refused with a 400",
        arguments: [
            "multipart/form-data", "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\(String(repeating: "b", count: 71))",
            "multipart/form-data; boundary=\"a\u{1}b\"",
        ])
    func boundaries(type: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("POST", Self.path, fields: ["Content-Type: \(type)"], body: [97])
            #expect(answer.status == 400)
        }
    }

    @Test(
        "the name of a file is displayed and never used as a path",
        arguments: [
            ("../../etc/passwd", "passwd"), ("..", "import.csv"), ("a\u{0}b", "ab"), (#"..\..\x.csv"#, "x.csv"),
            (String(repeating: "n", count: 4_096), String(repeating: "n", count: 200)),
        ])
    func names(sent: String, shown: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post(Self.path, form: [Part(name: "file", fileName: sent, content: [97])])
            #expect(answer.status == 202)
            let started = try answer.decode(SuccessEnvelope<StartedImport>.self).data
            #expect(started.filename == shown)
            #expect(try await proxy.host.nextBegun().fileName == shown)
            #expect(proxy.uploaded() == [".incoming", started.jobId.text].sorted())
            #expect(proxy.uploaded(started.jobId.text) == ["file"])
        }
    }

    @Test("a client that disconnects while sending its body leaves nothing on disk")
    func abandoned() async throws {
        try await RunningProxy.run { proxy in
            for framing in ["Content-Length: 1000000", "Transfer-Encoding: chunked"] {
                let connection = try await RawConnection(port: proxy.port)
                let start = framing.hasPrefix("T") ? "30d40\r\n" : ""
                try await connection.send(head(framing) + start + String(repeating: "a", count: 200_000))
                try await until { !proxy.uploaded(".incoming").isEmpty }
                await connection.close()
                try await proxy.uploadsEnd()
            }
            #expect(proxy.host.events.elements.isEmpty)
        }
    }

    @Test("one address may have eight concurrent uploads, and all addresses together may have 32")
    func concurrent() async throws {
        try await RunningProxy.run { proxy in
            var held: [RawConnection] = []
            for address in 1...4 {
                for _ in 0..<8 {
                    let connection = try await RawConnection(port: proxy.port, from: "127.0.0.\(address)")
                    try await connection.send(head("Content-Length: 10"))
                    held.append(connection)
                }
                try await until { proxy.services.uploads.limiter.count >= held.count }
                let ninth = try await RawConnection(port: proxy.port, from: "127.0.0.\(address)")
                try await ninth.send(head("Content-Length: 10"))
                let answer = try HTTPAnswer(try await ninth.readToEnd())
                #expect(answer.status == 503)
                #expect(answer["retry-after"] == "5")
            }
            let other = try await RawConnection(port: proxy.port, from: "127.0.0.5")
            try await other.send(head("Content-Length: 10"))
            #expect(try HTTPAnswer(try await other.readToEnd()).status == 503)
            try await held[0].send("0123456789")
            #expect(try HTTPAnswer(try await held[0].readToEnd()).status == 202)
            for connection in held { await connection.close() }
            try await until { proxy.services.uploads.limiter.count == 0 }
            try await proxy.uploadsEnd()
        }
    }

    @Test("stored files count toward the disk limit")
    func total() async throws {
        try await RunningProxy.run({
            $0.maxImportBytes = 100
            $0.uploadLimits.bytes = 150
        }) { proxy in
            let body = [UInt8](repeating: 97, count: 100)
            #expect(try await proxy.request("POST", Self.path, body: body).status == 202)
            let full = try await proxy.request("POST", Self.path, body: body)
            #expect(full.status == 503)
            #expect(full["retry-after"] == "30")
            for job in proxy.uploaded() where job != ".incoming" {
                try FileManager.default.removeItem(at: proxy.directory.appending(path: "uploads/\(job)"))
            }
            #expect(try await proxy.request("POST", Self.path, body: body).status == 202)
        }
    }

    @Test("an upload with a declared length reserves only that length, however large the limit for a file is")
    func reservation() async throws {
        try await RunningProxy.run({ $0.maxImportBytes = 1 << 30 }) { proxy in
            var held: [RawConnection] = []
            for _ in 0..<5 {
                let connection = try await RawConnection(port: proxy.port)
                try await connection.send(head("Content-Length: 1000", "Expect: 100-continue"))
                let first = try await connection.arrivals.take()
                #expect(first == .bytes(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)))
                held.append(connection)
            }
            for connection in held {
                try await connection.send([UInt8](repeating: 97, count: 1_000))
                #expect(try HTTPAnswer(try await connection.readToEnd()).status == 202)
            }
            try await proxy.uploadsEnd()
        }
    }

    @Test("leftovers of a killed process are deleted when the service starts")
    func leftovers() async throws {
        try await RunningProxy.run { proxy in
            let incoming = proxy.directory.appending(path: "uploads/.incoming")
            // The folder is complete before it is moved into place, because the proxy's own sweeper may be running.
            let stale = proxy.directory.appending(path: "stale")
            try FileManager.default.createDirectory(at: stale, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: stale.appending(path: "file"))
            try FileManager.default.createDirectory(at: incoming, withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: stale, to: incoming.appending(path: "stale"))
            let sweeper = UploadSweeper(
                directory: proxy.services.uploads.directory, threads: .singleton, logger: proxy.log.logger)
            let running = Task { await sweeper.run() }
            try await proxy.uploadsEnd()
            running.cancel()
            await running.value
        }
    }
}
