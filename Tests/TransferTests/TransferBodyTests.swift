import Foundation
import Testing
import Transfer

@Suite("Bodies composed while being sent")
struct TransferBodyTests {
    private func all(_ reader: TransferBodyReader, piece: Int) -> [UInt8]? {
        var whole: [UInt8] = []
        var part = [UInt8](repeating: 0, count: piece)
        while true {
            guard let count = part.withUnsafeMutableBytes({ reader.read(into: $0) }) else { return nil }
            if count == 0 { return whole }
            whole += part[..<count]
        }
    }

    @Test(
        "a body is the same in pieces of any size and after rewinding, and has the declared length",
        arguments: [1, 7, 1_000, 100_000])
    func pieces(piece: Int) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "body-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = (0..<150_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Data(file).write(to: URL(filePath: path))
        let body = TransferBody([
            .text("{\"data\":\""), .base64([.bytes([1, 2]), .file(path: path, 10..<150_001), .bytes([3])]),
            .text("\"}"),
            .text(""),
        ])
        let expected = "{\"data\":\"" + Data([1, 2] + file[10...] + [3]).base64EncodedString() + "\"}"
        let reader = TransferBodyReader(body)
        for _ in 0..<2 {
            #expect(all(reader, piece: piece) == Array(expected.utf8))
            reader.rewind()
        }
        #expect(body.count == expected.utf8.count)
    }

    @Test("sources without bytes do not end a body")
    func emptySources() {
        let block = [UInt8](repeating: 1, count: 48 << 10)
        let body = TransferBody([
            .base64([.bytes([]), .bytes(block), .bytes([])]), .base64([.bytes([])]), .text("\"}"),
        ])
        let expected = Data(block).base64EncodedString() + "\"}"
        #expect(all(TransferBodyReader(body), piece: 64 << 10) == Array(expected.utf8))
        #expect(body.count == expected.utf8.count)
    }

    @Test("many short sources are sent in their order", arguments: [7, 100_000])
    func shortSources(piece: Int) {
        let sources = (0..<30_000).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: $0 % 5) }
        let body = TransferBody([.base64(sources.map { .bytes($0) }), .base64(sources.map { .bytes($0) })])
        let expected = Data(sources.joined()).base64EncodedString()
        #expect(all(TransferBodyReader(body), piece: piece) == Array((expected + expected).utf8))
    }

    @Test("a body whose file is missing ends with a failure")
    func missing() throws {
        let body = TransferBody([.base64([.file(path: "/nonexistent", 0..<4)])])
        #expect(all(TransferBodyReader(body), piece: 10) == nil)
    }
}
