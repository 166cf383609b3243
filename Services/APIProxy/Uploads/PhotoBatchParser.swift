import NIOCore

/// Parses the JSON of a photo batch as it arrives: `{"jobId":"…","images":[{"index":0,"data":"base64"}]}` (scans.md "Routes").
///
/// Members that the batch does not need are skipped. Photos are decoded from base64 (RFC 4648 §4) as they arrive, so no photo has to be in memory as
/// a whole; the readers in `JSON` need the complete text. Escaped line breaks inside base64 and the prefix of a data URI are skipped, because some
/// clients send them.
struct PhotoBatchParser {
    /// A parsed element; elements are reported in the order of the body.
    enum Event: Equatable {
        case jobId(String)
        case photoBegan
        /// Bytes of the photo; never empty.
        case content(ByteBuffer)
        /// The entry is complete; `index` is the entry's index, if it has one.
        case photoEnded(index: Int?)
    }

    enum Fault: Error, Equatable {
        case notJSON
        case notBase64
        /// A photo has no data.
        case noData
        /// The index of a photo is not a number in ``PhotoBatchParser/indexes``.
        case invalidIndex

        /// The message for the client.
        var sentence: String {
            switch self {
            case .notJSON: "The body is not JSON of the form {\"images\":[{\"index\":0,\"data\":\"…\"}]}."
            case .notBase64: "The data of a photo is not base64."
            case .noData: "An entry of \"images\" has no data."
            case .invalidIndex:
                "The index of a photo must be an integer from \(PhotoBatchParser.indexes.lowerBound) to "
                    + "\(PhotoBatchParser.indexes.upperBound)."
            }
        }
    }

    /// The element that is being read.
    private enum State {
        case value, text, literal
        case afterValue
    }

    /// The accepted indexes of photos, of which only the order matters.
    static let indexes = 0...999_999

    private static let deepest = 16
    private static let maxTextLength = 4_096

    /// The rest of a byte order mark that may precede the JSON (RFC 8259 §8.1).
    private var mark: ArraySlice<UInt8> = [0xEF, 0xBB, 0xBF]
    private var state = State.value
    /// The open containers: true for objects, false for lists.
    private var open: [Bool] = []
    /// Names of the current members, one for each open object.
    private var names: [String] = []
    private var isName = false
    private var isEscaped = false
    /// The digits of a `\u` escape that have been read so far; nil outside an escape.
    private var escapeDigits: [UInt8]?
    private var text: [UInt8] = []
    private var decoder = Base64Stream()
    private var index: Int?
    private var hasData = false
    private var isOver = false

    /// Whether the string that is being read is a photo's data.
    private var isPhotoData = false
    private var isEntry: Bool { open == [true, false, true] && names.first == "images" }
    /// Whether the value that is being read is a photo's index.
    private var isIndex: Bool { !isName && isEntry && names.last == "index" }

    /// Reads a piece of the body and returns the complete elements.
    mutating func receive(_ piece: ByteBuffer) throws(Fault) -> [Event] {
        var events: [Event] = []
        var content = ByteBuffer()
        let bytes = piece.readableBytesView
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if state == .text, isPhotoData, !isEscaped {
                place += try decoder.take(bytes[place...], into: &content)
                guard place < bytes.endIndex else { break }
            }
            let byte = bytes[place]
            place += 1
            let before = events.count
            try take(byte, &events, &content)
            guard events.count > before, content.readableBytes > 0 else { continue }
            events.insert(.content(content), at: before)
            content = ByteBuffer()
        }
        if content.readableBytes > 0 { events.append(.content(content)) }
        return events
    }

    /// Ends the body; throws ``Fault/notJSON`` if it is incomplete.
    func finish() throws(Fault) { guard isOver else { throw .notJSON } }

    private mutating func take(_ byte: UInt8, _ events: inout [Event], _ content: inout ByteBuffer) throws(Fault) {
        switch state {
        case .text: try takeText(byte, &events, &content)
        case .literal:
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09, 0x0A, 0x0D:
                try endLiteral()
                try take(byte, &events, &content)
            default: try append(byte)
            }
        case .value, .afterValue: try takeStructure(byte, &events)
        }
    }

    private mutating func takeStructure(_ byte: UInt8, _ events: inout [Event]) throws(Fault) {
        switch (byte, state) {
        case (0x20, _), (0x09, _), (0x0A, _), (0x0D, _): return
        case (mark.first, .value) where open.isEmpty: mark.removeFirst()
        case _ where isOver: throw .notJSON
        case (UInt8(ascii: "{"), .value), (UInt8(ascii: "["), .value):
            guard !isName, open.count < Self.deepest, !open.isEmpty || byte == UInt8(ascii: "{") else { throw .notJSON }
            guard !isIndex else { throw .invalidIndex }
            open.append(byte == UInt8(ascii: "{"))
            if open.last == true {
                names.append("")
                isName = true
                if open == [true, false, true], names.first == "images" {
                    (index, hasData, decoder) = (nil, false, Base64Stream())
                }
            }
        case (UInt8(ascii: "}"), _):
            guard open.last == true else { throw .notJSON }
            if isEntry {
                guard hasData else { throw .noData }
                events.append(.photoEnded(index: index))
            }
            open.removeLast()
            names.removeLast()
            endValue()
        case (UInt8(ascii: "]"), _):
            guard open.last == false else { throw .notJSON }
            open.removeLast()
            endValue()
        case (UInt8(ascii: ","), .afterValue):
            state = .value
            isName = open.last == true
        case (UInt8(ascii: ":"), .afterValue) where isName:
            state = .value
            isName = false
        case (UInt8(ascii: "\""), .value):
            guard !isIndex else { throw .invalidIndex }
            text = []
            state = .text
            isPhotoData = !isName && isEntry && names.last == "data"
            if isPhotoData {
                guard !hasData else { throw .notJSON }
                hasData = true
                events.append(.photoBegan)
            }
        case (_, .value) where !isName && !open.isEmpty:
            text = [byte]
            state = .literal
        default: throw .notJSON
        }
    }

    private mutating func takeText(
        _ byte: UInt8, _ events: inout [Event], _ content: inout ByteBuffer
    ) throws(Fault) {
        switch byte {
        case _ where isEscaped:
            isEscaped = false
            if isPhotoData {
                try takeEscaped(byte, &content)
            } else {
                try append(UInt8(ascii: "\\"))
                try append(byte)
            }
        case UInt8(ascii: "\\"): isEscaped = true
        case UInt8(ascii: "\""): try endText(&events, &content)
        default: try append(byte)
        }
    }

    private mutating func append(_ byte: UInt8) throws(Fault) {
        guard text.count < Self.maxTextLength else { throw .notJSON }
        text.append(byte)
    }

    /// Decodes an escaped character in a photo's data. Some encoders escape slashes and line breaks, and some write every plus sign as its code point
    /// (RFC 8259 §7).
    private mutating func takeEscaped(_ byte: UInt8, _ content: inout ByteBuffer) throws(Fault) {
        switch (byte, escapeDigits) {
        case (_, let digits?):
            guard digits.count == 3 else {
                escapeDigits = digits + [byte]
                isEscaped = true
                return
            }
            escapeDigits = nil
            let number = String(decoding: digits + [byte], as: UTF8.self)
            guard number.allSatisfy(\.isHexDigit), let code = UInt8(number, radix: 16) else { throw .notBase64 }
            try decoder.take(code, into: &content)
        case (UInt8(ascii: "/"), nil): try decoder.take(byte, into: &content)
        case (UInt8(ascii: "n"), nil), (UInt8(ascii: "r"), nil): break
        case (UInt8(ascii: "u"), nil):
            escapeDigits = []
            isEscaped = true
        default: throw .notBase64
        }
    }

    private mutating func endText(_ events: inout [Event], _ content: inout ByteBuffer) throws(Fault) {
        if isName {
            names[names.count - 1] = String(decoding: text, as: UTF8.self)
            state = .afterValue
            return
        }
        if isPhotoData {
            try decoder.finish(into: &content)
            if content.readableBytes > 0 {
                events.append(.content(content))
                content = ByteBuffer()
            }
            isPhotoData = false
        } else if open == [true], names == ["jobId"] {
            events.append(.jobId(String(decoding: text, as: UTF8.self)))
        }
        endValue()
    }

    private mutating func endLiteral() throws(Fault) {
        if isIndex {
            let literal = String(decoding: text, as: UTF8.self)
            index = Int(literal)
            guard literal == "null" || index.map(Self.indexes.contains) == true else { throw .invalidIndex }
        }
        endValue()
    }

    private mutating func endValue() {
        state = .afterValue
        isName = false
        isOver = open.isEmpty
    }
}
