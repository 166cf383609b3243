import Foundation
import NIOCore
import Testing

@testable import APIProxy

@Suite("Photos in JSON")
struct PhotoBatchParserTests {
    /// The content of a body, which does not depend on the sizes of its pieces.
    private struct Found: Equatable {
        var jobId: String?
        var photos: [[UInt8]] = []
        var indexes: [Int?] = []
    }

    private func read(_ text: String, piece: Int = 7) throws -> Found {
        var parser = PhotoBatchParser()
        var found = Found()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            for event in try parser.receive(ByteBuffer(bytes: bytes[start..<min(start + piece, bytes.count)])) {
                switch event {
                case .jobId(let text): found.jobId = text
                case .photoBegan: found.photos.append([])
                case .content(let content): found.photos[found.photos.count - 1] += content.readableBytesView
                case .photoEnded(let index): found.indexes.append(index)
                }
            }
        }
        try parser.finish()
        return found
    }

    @Test("photos are decoded as they arrive, whatever the sizes of the pieces", arguments: [1, 2, 3, 5, 64, 10_000])
    func pieces(piece: Int) throws {
        let photos = [[1, 2, 3, 4, 5], (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }, [255]] as [[UInt8]]
        let images = photos.enumerated().map { number, photo in
            "{ \"data\" : \"\(Data(photo).base64EncodedString())\",\n\"more\":{\"data\":[\"x\"]},\"index\":\(number)}"
        }
        let found = try read(
            "{\"jobId\":\"abc\",\"images\":[\(images.joined(separator: " , "))],\"x\":[1,{}]}", piece: piece)
        #expect(found == Found(jobId: "abc", photos: photos, indexes: [0, 1, 2]))
    }

    @Test(
        "base64 may have a data URI prefix, escaped characters and line breaks, and may lack padding",
        arguments: [
            #"data:image\/jpeg;base64,//79"#, #"\/\/79"#, #"//\n79"#, "//79", #"\u002F\u002f\u0037\u0039"#,
            #"//\u00379"#,
        ])
    func variants(data: String) throws {
        #expect(try read(#"{"images":[{"data":"\#(data)"}]}"#).photos == [[0xFF, 0xFE, 0xFD]])
        #expect(try read(#"{"images":[{"data":"/w"}]}"#).photos == [[0xFF]])
        #expect(try read(#"{"images":[{"data":"/w=="}]}"#).photos == [[0xFF]])
    }

    @Test("base64 that is the start of the prefix of a data URI is decoded, unlike a data URI without data")
    func shortData() throws {
        #expect(try read(#"{"images":[{"data":"data"}]}"#).photos == [[0x75, 0xAB, 0x5A]])
        #expect(try read(#"{"images":[{"data":"da"},{"data":"AA"}]}"#).photos == [[0x75], [0]])
        for data in ["data:", "data:image/png;base64"] {
            #expect(throws: PhotoBatchParser.Fault.notBase64) { try read(#"{"images":[{"data":"\#(data)"}]}"#) }
        }
    }

    @Test("the JSON may begin with a byte order mark, which is not accepted anywhere else", arguments: [1, 7])
    func byteOrderMark(piece: Int) throws {
        let body = #"{"images":[{"data":"AA=="}]}"#
        #expect(try read("\u{FEFF}" + body, piece: piece).photos == [[0]])
        for text in ["\u{FEFF}\u{FEFF}" + body, body + "\u{FEFF}"] {
            #expect(throws: PhotoBatchParser.Fault.notJSON) { try read(text, piece: piece) }
        }
    }

    @Test("a photo may lack an index, and indexes may have gaps")
    func indexes() throws {
        let images = #"{"data":"AA=="},{"index":null,"data":"AA=="},{"data":"AA==","index":999999}"#
        let found = try read(#"{"images":[\#(images)]}"#)
        #expect(found.indexes == [nil, nil, 999_999])
    }

    @Test(
        "an index that is not a whole number in the accepted range is refused",
        arguments: [
            "-1", "1.5", "1e1", "1000000", "1000000000000", "99999999999999999999", "true", #""0""#, "[0]", "{}",
        ])
    func invalidIndex(index: String) {
        #expect(throws: PhotoBatchParser.Fault.invalidIndex) {
            try read(#"{"images":[{"index":\#(index),"data":"AA=="}]}"#)
        }
    }

    @Test(
        "a body with an invalid structure or invalid base64 is refused",
        arguments: [
            "", "[]", "{", #"{"images":[{"index":0}]}"#, #"{"images":[{"data":"a b"}]}"#, #"{"images":[{"data":"a"}]}"#,
            #"{"images":[{"data":"=="}]}"#, #"{"images":[{"data":"AA==AA"}]}"#, #"{"images":[{"data":"\u0041"}]}"#,
            #"{"images":[{"data":"//79\u0020"}]}"#, #"{"images":[{"data":"\u+0379"}]}"#,
            #"{"images":[{"data":"\u01F779"}]}"#, #"{"images":[{"data":"//79\u00"}]}"#,
            #"{"images":[{"data":"AA"}]}x"#, #"{"images":[{"data":"AA","data":"AA"}]}"#,
            String(repeating: "[", count: 100_000), "{\"a\":" + String(repeating: "[", count: 100_000),
            #"{"note":""# + String(repeating: #"\n"#, count: 3_000) + #"","images":[{"data":"AA=="}]}"#,
        ])
    func refused(text: String) {
        #expect(throws: PhotoBatchParser.Fault.self) { try read(text, piece: 1_000) }
    }
}
