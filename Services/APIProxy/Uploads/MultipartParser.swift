import Glibc
import NIOCore

/// Parses a `multipart/form-data` body as it arrives (RFC 7578; RFC 2046 §5.1.1).
///
/// The parts do not depend on how the body is cut into pieces. At most one piece, the header of one part and one delimiter are buffered.
struct MultipartParser {
    /// The parsed elements, in the order of the body.
    enum Event: Equatable {
        case partBegan(PartHeader)
        /// Content of the part; never empty.
        case content(ByteBuffer)
        case partEnded
    }

    private enum State {
        /// Text before the first part, which is ignored.
        case preamble
        case header
        case content
        /// Text after the last delimiter, which is ignored.
        case epilogue
    }

    /// What follows the text of a delimiter.
    private enum Ending {
        case part(length: Int)
        case close
        case unknown
        /// The text is not a delimiter, but content.
        case none
    }

    /// Maximum length of a part's header, in bytes.
    static let maxHeaderLength = 8 << 10
    /// Maximum number of spaces and tabs after a delimiter, which some gateways add.
    private static let maxPaddingLength = 64

    /// CR, LF, two dashes and the boundary.
    private let delimiter: [UInt8]
    private var state = State.preamble
    /// Bytes that have not been parsed yet. Initially a line break, so that the first delimiter has one before it even at the start of the body.
    private var held = ByteBuffer(string: "\r\n")
    /// Number of bytes at the start of `held` that may start a delimiter but are not content.
    private var lead = 2

    /// - Parameter boundary: The boundary in the `Content-Type` field.
    init(boundary: String) {
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Parses a piece of the body and returns the events that are complete.
    mutating func receive(_ piece: ByteBuffer) throws(MultipartFault) -> [Event] {
        guard state != .epilogue else { return [] }
        // Otherwise, the buffer would grow to the length of the body.
        held.discardReadBytes()
        held.writeImmutableBuffer(piece)
        var events: [Event] = []
        var goesOn = true
        while goesOn {
            switch state {
            case .preamble, .content: goesOn = takeContent(&events)
            case .header: goesOn = try takeHeader(&events)
            case .epilogue: goesOn = false
            }
        }
        return events
    }

    /// Call at the end of the body. Throws if the last delimiter is missing.
    func finish() throws(MultipartFault) {
        switch state {
        case .epilogue: return
        case .preamble: throw .noPart
        case .header, .content: throw .cutShort
        }
    }
}

extension MultipartParser {
    /// Consumes content up to the next delimiter; returns false if more bytes are needed, or after the last delimiter.
    private mutating func takeContent(_ events: inout [Event]) -> Bool {
        var start = 0
        while let place = offset(of: delimiter, from: start) {
            switch ending(at: place + delimiter.count) {
            case .none: start = place + 1
            case .unknown:
                deliver(upTo: place, &events)
                return false
            case .close:
                end(at: place, &events)
                held = ByteBuffer()
                state = .epilogue
                return false
            case .part(let length):
                end(at: place, &events)
                held.moveReaderIndex(forwardBy: delimiter.count + length)
                state = .header
                return true
            }
        }
        deliver(upTo: held.readableBytes - (delimiter.count - 1), &events)
        return false
    }

    private mutating func end(at place: Int, _ events: inout [Event]) {
        deliver(upTo: place, &events)
        // The delimiter of an empty part may start with the line break that ends its header.
        held.moveReaderIndex(forwardBy: place == 0 ? 0 : lead)
        if state == .content { events.append(.partEnded) }
    }

    /// Delivers the bytes before `place` and removes them from `held`.
    private mutating func deliver(upTo place: Int, _ events: inout [Event]) {
        guard place > lead else { return }
        held.moveReaderIndex(forwardBy: lead)
        guard let content = held.readSlice(length: place - lead) else { return }
        lead = 0
        if state == .content { events.append(.content(content)) }
    }

    /// Classifies what follows the text of a delimiter: a line end, two dashes, anything else, or too few bytes to decide.
    private func ending(at place: Int) -> Ending {
        let rest = held.readableBytesView.dropFirst(place)
        guard rest.count >= 2 else { return .unknown }
        if rest.starts(with: "--".utf8) { return .close }
        let padding = rest.prefix(Self.maxPaddingLength).prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let line = rest.dropFirst(padding.count)
        if line.starts(with: "\r\n".utf8) { return .part(length: padding.count) }
        let mayFollow = line.isEmpty ? padding.count < Self.maxPaddingLength : line.elementsEqual("\r".utf8)
        return mayFollow ? .unknown : .none
    }

    /// Reads a part's header; returns false if more bytes are needed.
    private mutating func takeHeader(_ events: inout [Event]) throws(MultipartFault) -> Bool {
        // `held` starts with the end of the delimiter's line, so the header of a part without fields ends immediately.
        guard let end = offset(of: Array("\r\n\r\n".utf8), from: 0) else {
            guard held.readableBytes <= Self.maxHeaderLength else { throw .longHeader(Self.maxHeaderLength) }
            return false
        }
        guard end <= Self.maxHeaderLength else { throw .longHeader(Self.maxHeaderLength) }
        let text = held.readSlice(length: end + 2) ?? ByteBuffer()
        // The line break after the last field may start the delimiter of an empty part (RFC 2046 §5.1.1, `body-part`).
        lead = 2
        state = .content
        events.append(.partBegan(try PartHeader(text.readableBytesView.dropFirst(2))))
        return true
    }

    /// Offset of the first `text` in `held` at or after `start`; nil if there is none. `text` must start with CR.
    private func offset(of text: [UInt8], from start: Int) -> Int? {
        held.withUnsafeReadableBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var place = start
            while place + text.count <= bytes.count {
                let rest = bytes.count - text.count + 1 - place
                guard let found = memchr(base + place, CInt(UInt8(ascii: "\r")), rest) else { return nil }
                place = UnsafeRawPointer(found) - base
                if memcmp(base + place, text, text.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }
}

/// Why a body is not a valid form.
enum MultipartFault: Error, Equatable {
    /// The body has no parts.
    case noPart
    /// The body ends before the last delimiter.
    case cutShort
    /// The header of a part is longer than this many bytes.
    case longHeader(Int)
    /// The header of a part has a line that is not a field.
    case malformedHeader
    /// The content of a part is encoded, for example with base64.
    case encoded

    /// The message for the client.
    var sentence: String {
        switch self {
        case .noPart:
            "The form has no parts. Each part begins with a line of two dashes and the boundary, and lines end with CR and LF."
        case .cutShort: "The form ends before its closing delimiter. Was it sent completely?"
        case .longHeader(let limit): "The header of a part is longer than \(limit) bytes."
        case .malformedHeader: "The header of a part has a line that is not a field."
        case .encoded: "Send each part as it is, without Content-Transfer-Encoding."
        }
    }
}
