import BookstrackContract
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads the body of one upload as it arrives: the bytes of the file, and the other fields. Does not touch the disk.
struct UploadReading {
    /// Bytes of the file that are written at once.
    static let written = 128 << 10
    /// Longest text of a part, in bytes.
    static let longestField = 64 << 10
    /// Maximum number of parts of a form.
    static let mostParts = 32
    /// Maximum bytes of a form without its file.
    static let mostBeside = 128 << 10

    private enum Part { case none, file, field(String), ignored }

    private let form: UploadForm
    /// Nil when the whole body is the file.
    private var parser: MultipartParser?
    private var part = Part.none
    private var parts = 0
    private var bodyBytes = 0
    private var fileBytes = 0
    private var hasFile = false
    private var wasChecked = false
    /// Bytes of the file that are not written yet.
    private var pending = ByteBuffer()
    private var field = ByteBuffer()
    private(set) var fields: [String: String] = [:]
    private(set) var fileName: String?

    /// Throws 400, 413 or 415 if the head alone shows that the upload is not acceptable.
    init(_ request: Request, _ form: UploadForm) throws(APIFailure) {
        self.form = form
        parser = try Self.parser(request.headers[.contentType])
        let items = QueryItems(uri: request.uri.description)
        for name in form.fields { fields[name] = items[name] }
        if parser == nil {
            hasFile = true
            fileName = items["filename"].flatMap(ShownFileName.shown)
        }
        guard let length = request.headers[.contentLength].flatMap({ Int($0) }) else { return }
        guard length > 0 else { throw parser == nil ? emptyFile : APIFailure(MultipartFault.noPart) }
        guard length <= form.largestFile + (parser == nil ? 0 : Self.mostBeside) else { throw tooLarge }
    }

    private static func parser(_ field: String?) throws(APIFailure) -> MultipartParser? {
        guard let field else { return nil }
        let type = HeaderValue(field)
        guard type.value.hasPrefix("multipart/") else { return nil }
        guard type.value == "multipart/form-data" else {
            throw APIFailure(
                .unsupportedMediaType, "Send a form as multipart/form-data, or the file itself as the body.",
                details: ["accepted": "multipart/form-data"])
        }
        // RFC 2046 §5.1.1
        guard let boundary = type["boundary"], (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), boundary.last != " "
        else { throw APIFailure(.invalidRequest, "Content-Type has no valid boundary.") }
        return MultipartParser(boundary: boundary)
    }

    /// Reads a piece of the body. Returns bytes of the file to write now.
    mutating func receive(_ piece: ByteBuffer) throws(APIFailure) -> ByteBuffer? {
        bodyBytes += piece.readableBytes
        if parser == nil {
            try addToFile(piece)
        } else {
            for event in try events(in: piece) { try take(event) }
            guard bodyBytes - fileBytes <= Self.mostBeside else { throw tooLarge }
        }
        return pending.readableBytes >= Self.written ? try takePending() : nil
    }

    /// Call at the end of the body. Returns the bytes of the file that are not written yet.
    mutating func finish() throws(APIFailure) -> ByteBuffer? {
        do throws(MultipartFault) {
            try parser?.finish()
        } catch {
            throw APIFailure(error)
        }
        guard hasFile else {
            throw APIFailure(
                .invalidRequest, "The form has no part named \(form.file).", details: ["field": .text(form.file)])
        }
        guard fileBytes > 0 else { throw emptyFile }
        return try takePending()
    }

    private mutating func events(in piece: ByteBuffer) throws(APIFailure) -> [MultipartParser.Event] {
        do throws(MultipartFault) {
            return try parser?.receive(piece) ?? []
        } catch {
            throw APIFailure(error)
        }
    }
}

// MARK: Parts

extension UploadReading {
    private mutating func take(_ event: MultipartParser.Event) throws(APIFailure) {
        switch (event, part) {
        case (.partBegan(let header), _): part = try begin(header)
        case (.content(let bytes), .file): try addToFile(bytes)
        case (.content(let bytes), .field(let name)):
            guard field.readableBytes + bytes.readableBytes <= Self.longestField else {
                throw .invalid(name, "is longer than \(Self.longestField >> 10) KiB")
            }
            field.writeImmutableBuffer(bytes)
        case (.partEnded, .field(let name)):
            guard let text = String(validating: field.readableBytesView, as: UTF8.self) else {
                throw .invalid(name, "must be UTF-8")
            }
            fields[name] = text
        case (.content, _), (.partEnded, _): break
        }
    }

    private mutating func begin(_ header: PartHeader) throws(APIFailure) -> Part {
        parts += 1
        guard parts <= Self.mostParts else {
            throw APIFailure(
                .invalidRequest, "The form has more than \(Self.mostParts) parts.",
                details: ["limit": .integer(Self.mostParts)])
        }
        guard header.name == form.file else {
            field = ByteBuffer()
            return header.name.flatMap { form.fields.contains($0) ? .field($0) : nil } ?? .ignored
        }
        guard !hasFile else { throw .invalid(form.file, "was sent twice; send one file") }
        hasFile = true
        fileName = header.fileName.flatMap(ShownFileName.shown)
        return .file
    }

    private mutating func addToFile(_ bytes: ByteBuffer) throws(APIFailure) {
        fileBytes += bytes.readableBytes
        guard fileBytes <= form.largestFile else { throw tooLarge }
        pending.writeImmutableBuffer(bytes)
    }

    /// The pending bytes, to be written. Throws if the file is of an unwanted type.
    private mutating func takePending() throws(APIFailure) -> ByteBuffer {
        if !wasChecked, let refusal = FileSignature(pending.readableBytesView).flatMap(form.refusal) { throw refusal }
        wasChecked = true
        defer { pending = ByteBuffer() }
        return pending
    }

    private var tooLarge: APIFailure {
        let limit = form.largestFile
        let text = limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit) bytes"
        return APIFailure(.fileTooLarge, "The file is larger than \(text).", details: ["limit": .integer(limit)])
    }

    private var emptyFile: APIFailure { APIFailure(.invalidRequest, "The file is empty.") }
}

extension APIFailure {
    /// A body that is not a form.
    fileprivate init(_ fault: MultipartFault) { self.init(.invalidRequest, fault.sentence) }
}
