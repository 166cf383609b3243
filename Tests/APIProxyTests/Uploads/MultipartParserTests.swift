import Foundation
import NIOCore
import TestSupport
import Testing
@testable import APIProxy

@Suite("Parsing forms as they arrive") struct MultipartParserTests {
    /// A part as a client sends it.
    struct Part: Equatable {
        var name: String?
        var fileName: String?
        var content: [UInt8] = []
    }

    static func body(_ parts: [Part], boundary: String = "XYZ", preamble: String = "", epilogue: String = "") -> [UInt8]
    {
        var body = Array(preamble.utf8)
        for part in parts {
            body += Array("--\(boundary)\r\n".utf8)
            if let name = part.name {
                let file = part.fileName.map { "; filename=\"\($0)\"" } ?? ""
                body += Array("Content-Disposition: form-data; name=\"\(name)\"\(file)\r\n".utf8)
            }
            body += Array("\r\n".utf8) + part.content + Array("\r\n".utf8)
        }
        return body + Array("--\(boundary)--\(epilogue)".utf8)
    }

    /// Parses a body that arrives in pieces, cut at the given offsets.
    private func parts(_ body: [UInt8], boundary: String = "XYZ", cutAt cuts: [Int] = []) throws -> [Part] {
        var parser = MultipartParser(boundary: boundary)
        var parts: [Part] = []
        var isOpen = false
        var start = 0
        for end in cuts + [body.count] {
            for event in try parser.receive(ByteBuffer(bytes: body[start..<end])) {
                switch event {
                case .partBegan(let header):
                    parts.append(Part(name: header.name, fileName: header.fileName))
                    #expect(!isOpen)
                    isOpen = true
                case .content(let bytes):
                    #expect(bytes.readableBytes > 0)
                    parts[parts.count - 1].content += bytes.readableBytesView
                case .partEnded: isOpen = false
                }
            }
            start = end
        }
        try parser.finish()
        #expect(!isOpen)
        return parts
    }

    static let form = [
        Part(name: "jobId", content: Array("job-12345".utf8)), Part(name: "empty"),
        Part(
            name: "file", fileName: "a.csv",
            content: Array("Title,Author\r\n\r\n--XY,--\r\n--XYZQ\r\n-\r\r\n--\r\nDune,Herbert\r\n".utf8)),
    ]

    @Test("a form consists of its parts, without the text before the first and after the last")
    func plain() throws {
        #expect(try parts(Self.body(Self.form)) == Self.form)
        let wrapped = Self.body(Self.form, preamble: "for old readers\r\n", epilogue: "\r\nmore\r\n--XYZ\r\n\r\nghost")
        #expect(try parts(wrapped) == Self.form)
    }

    @Test("the parts are the same wherever a body is cut in two, and whatever the length of its pieces")
    func everyCut() throws {
        let body = Self.body(Self.form, preamble: "hello\r\n--XY\r\n", epilogue: "\r\n")
        for cut in 0...body.count { #expect(try parts(body, cutAt: [cut]) == Self.form, "\(cut)") }
        for length in 1...40 {
            let cuts = Array(stride(from: length, to: body.count, by: length))
            #expect(try parts(body, cutAt: cuts) == Self.form, "\(length)")
        }
    }

    @Test("content that resembles the delimiter is unchanged, whatever the length of the pieces")
    func random() throws {
        for seed in 0..<UInt64(RandomText.inputs) {
            var random = SeededGenerator(seed: seed)
            let form = (0..<Int.random(in: 1...4, using: &random)).map { index in
                Part(
                    name: "p\(index)",
                    content: (0..<Int.random(in: 0...60, using: &random)).map { _ in
                        Array("\r\n-XYZ a".utf8).randomElement(using: &random) ?? 0
                    })
            }
            // A sender checks this before it chooses a boundary (RFC 2046 §5.1.1).
            let holdsDelimiter = form.contains { part in
                String(decoding: Array("\r\n".utf8) + part.content + Array("\r\n".utf8), as: UTF8.self)
                    .contains("\r\n--XYZ")
            }
            guard !holdsDelimiter else { continue }
            let body = Self.body(form)
            let cuts = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                Int.random(in: 0...body.count, using: &random)
            }
            #expect(try parts(body, cutAt: cuts.sorted()) == form, "seed \(seed)")
        }
    }

    @Test("the memory for a form does not grow with the length of its file")
    func longFile() throws {
        var parser = MultipartParser(boundary: "XYZ")
        _ = try parser.receive(ByteBuffer(string: "--XYZ\r\n\r\n"))
        let piece = ByteBuffer(repeating: UInt8(ascii: "a"), count: 64 << 10)
        for _ in 0..<64 {
            for event in try parser.receive(piece) {
                guard case .content(let bytes) = event else { continue }
                // Content shares the parser's storage.
                #expect(bytes.storageCapacity <= 256 << 10)
            }
        }
    }

    @Test("an empty part may end with its header, and a part may have no header")
    func bare() throws {
        let body = Array(
            "--XYZ\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n--XYZ\r\n\r\nb\r\n--XYZ \t\r\n\r\n\r\n--XYZ--"
                .utf8)
        #expect(try parts(body) == [Part(name: "a"), Part(content: Array("b".utf8)), Part()])
    }

    @Test("a form without a final delimiter is refused, wherever it ends")
    func cutShort() throws {
        let body = Self.body(Self.form)
        for length in 0..<body.count {
            let expected: MultipartFault = length < "--XYZ\r\n".utf8.count ? .noPart : .cutShort
            #expect(throws: expected, "\(length)") { try parts(Array(body.prefix(length))) }
        }
    }

    @Test(
        "a body with a different boundary, or with line ends without CR, has no parts",
        arguments: ["--XY\r\n\r\na\r\n--XY--", "--XYZ\n\na\n--XYZ--", "", "Title,Author\r\nDune,Herbert\r\n"])
    func otherBoundary(text: String) {
        #expect(throws: MultipartFault.noPart) { try parts(Array(text.utf8)) }
    }

    @Test("a header longer than 8 KiB is refused even if it never ends, and so is one with a line that is not a field")
    func longHeaders() throws {
        let name = String(repeating: "n", count: 8_000)
        #expect(try parts(Self.body([Part(name: name)])) == [Part(name: name)])
        let endless = Array("--XYZ\r\n".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 9_000)
        let cuts = Array(stride(from: 100, to: endless.count, by: 100))
        #expect(throws: MultipartFault.longHeader(8_192)) { try parts(endless, cutAt: cuts) }
        #expect(throws: MultipartFault.longHeader(8_192)) {
            try parts(endless + Array(": b\r\n\r\nc\r\n--XYZ--".utf8))
        }
        #expect(throws: MultipartFault.malformedHeader) {
            try parts(Array("--XYZ\r\nno field\r\n\r\na\r\n--XYZ--".utf8))
        }
    }

    @Test("random input does not crash the parser")
    func garbage() {
        for seed in 0..<UInt64(RandomText.inputs) {
            var random = SeededGenerator(seed: seed)
            let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                Array("\r\n-XYZ :;=\"\\a\0\u{FF}".utf8).randomElement(using: &random) ?? 0
            }
            let cuts = (0..<4).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
            _ = try? parts(Array("--XYZ\r\n".utf8) + bytes, cutAt: cuts)
        }
    }
}
