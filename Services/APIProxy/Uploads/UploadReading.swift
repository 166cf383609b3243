import BookstrackContract
import HTTPTypes
import Hummingbird
import ImageFiles
import NIOCore

/// Reads the body of one upload as it arrives: the bytes of its files, and the other fields. Does not touch the disk.
struct UploadReading {
    /// Bytes of a file that must be written now.
    struct Piece: Equatable {
        /// Index of the file in the order of arrival, from 0.
        var file: Int
        var bytes: ByteBuffer
    }

    /// Minimum number of bytes per write to a file; only its last piece may be shorter.
    private static let minWriteBytes = 128 << 10
    /// Maximum length of a text part, in bytes.
    static let maxFieldBytes = 64 << 10
    /// Maximum number of parts in a form.
    static let maxParts = 32
    /// Maximum size of a form without its files, in bytes.
    static let maxFormOverhead = 128 << 10

    private enum Part { case none, file, field(String), ignored }

    /// The parser of the body.
    private enum Source {
        /// The whole body is the file.
        case body
        case form(MultipartParser)
        case photos(PhotoBatchParser)
    }

    private let form: UploadForm
    /// Length of the body in bytes; nil if the request does not declare it.
    private let declaredBytes: Int?
    private var source: Source
    private var part = Part.none
    private var parts = 0
    private var bodyBytes = 0
    /// Size of the files that are complete, in bytes.
    private var endedBytes = 0
    /// Number of bytes of the current file that have been read.
    private var fileBytes = 0
    private var wasChecked = false
    /// Bytes of the current file that have not been written yet.
    private var pending = ByteBuffer()
    private var pieces: [Piece] = []
    private var field = ByteBuffer()
    private(set) var fields: [String: String] = [:]
    private(set) var fileName: String?
    /// Whether the body is JSON with photos in base64.
    var isPhotoJSON: Bool { if case .photos = source { true } else { false } }
    /// The position of each file, in the order of arrival; nil for a file without an explicit one.
    private var places: [Int?] = []

    /// Prepares to read a request's body. Throws 400, 413 or 415 if the head alone shows that the upload is unacceptable.
    init(_ request: Request, _ form: UploadForm) throws(APIFailure) {
        self.form = form
        source = try Self.source(request.headers[.contentType], form)
        declaredBytes = request.headers[.contentLength].flatMap { Int($0) }
        try ContentCoding.checkIdentity(request.headers)
        let items = QueryItems(uri: request.uri.description)
        for name in form.fields { fields[name] = items[name] }
        if case .body = source {
            places = [nil]
            fileName = items["filename"].flatMap(ShownFileName.shown)
        }
        guard let length = declaredBytes else { return }
        guard length > 0 else {
            if case .form = source { throw APIFailure(MultipartFault.noPart) }
            throw emptyFile
        }
        guard length <= maxBodyBytes else { throw longBody }
    }

    private static func source(_ field: String?, _ form: UploadForm) throws(APIFailure) -> Source {
        guard let field else { return .body }
        let type = HeaderValue(field)
        if form.takesPhotoJSON, type.value == "application/json" { return .photos(PhotoBatchParser()) }
        guard type.value.hasPrefix("multipart/") else { return .body }
        guard type.value == "multipart/form-data" else {
            throw APIFailure(
                .unsupportedMediaType, "Send a form as multipart/form-data, or the file itself as the body.",
                details: ["accepted": "multipart/form-data"])
        }
        // As in RFC 2046 §5.1.1, except that every printable ASCII character is accepted.
        guard let boundary = type["boundary"], (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), boundary.last != " "
        else { throw APIFailure(.invalidRequest, "Content-Type has no valid boundary.") }
        return .form(MultipartParser(boundary: boundary))
    }

    /// Maximum total size of the files, in bytes. Files are never longer than the body, whether or not it is decoded from base64.
    var maxStoredBytes: Int { min(form.maxTotalBytes, declaredBytes ?? .max) }

    /// Maximum length of the body, including the files, in bytes.
    private var maxBodyBytes: Int {
        switch source {
        case .body: form.maxFileBytes
        case .form: form.maxTotalBytes + Self.maxFormOverhead
        case .photos: form.maxTotalBytes / 3 * 4 + Self.maxFormOverhead
        }
    }

    /// Reads a piece of the body. Returns the bytes of files that must be written now.
    mutating func receive(_ piece: ByteBuffer) throws(APIFailure) -> [Piece] {
        bodyBytes += piece.readableBytes
        switch source {
        case .body: try addToFile(piece)
        case .form(var parser):
            // Leaves only one reference to the bytes that are not parsed yet, so that nothing is copied.
            source = .body
            let events: [MultipartParser.Event]
            do throws(MultipartFault) { events = try parser.receive(piece) } catch { throw APIFailure(error) }
            source = .form(parser)
            for event in events { try take(event) }
            guard bodyBytes - endedBytes - fileBytes <= Self.maxFormOverhead else { throw longForm }
        case .photos(var parser):
            let events: [PhotoBatchParser.Event]
            do throws(PhotoBatchParser.Fault) { events = try parser.receive(piece) } catch { throw APIFailure(error) }
            source = .photos(parser)
            for event in events { try take(event) }
            guard bodyBytes <= maxBodyBytes else { throw longBody }
        }
        if pending.readableBytes >= Self.minWriteBytes { try flush() }
        return takePieces()
    }

    /// Call at the end of the body. Returns the bytes that have not been written yet.
    mutating func finish() throws(APIFailure) -> [Piece] {
        switch source {
        case .body: try endFile()
        case .form(let parser):
            do throws(MultipartFault) { try parser.finish() } catch { throw APIFailure(error) }
        case .photos(let parser):
            do throws(PhotoBatchParser.Fault) { try parser.finish() } catch { throw APIFailure(error) }
        }
        guard !places.isEmpty else { throw nothingSent }
        return takePieces()
    }

    /// The failure for a body without any file.
    private var nothingSent: APIFailure {
        if case .photos = source { return .invalid("images", "contains no photo") }
        return APIFailure(
            .invalidRequest, "The form has no part named \(form.files[0]).", details: ["field": .text(form.files[0])])
    }

    /// The final position of each file, from 0, in the order of arrival. A file without an explicit position is sorted by its place in that order.
    /// Throws 400 if two files have the same position.
    func order() throws(APIFailure) -> [Int] {
        let wanted = places.enumerated().map { $1 ?? $0 }
        guard Set(wanted).count == wanted.count else { throw .invalid("index", "is the same for two photos") }
        let sorted = wanted.sorted()
        return wanted.compactMap { sorted.firstIndex(of: $0) }
    }

    private mutating func takePieces() -> [Piece] {
        defer { pieces = [] }
        return pieces
    }
}

// MARK: Parts

extension UploadReading {
    private mutating func take(_ event: MultipartParser.Event) throws(APIFailure) {
        switch (event, part) {
        case (.partBegan(let header), _): part = try begin(header)
        case (.content(let bytes), .file): try addToFile(bytes)
        case (.content(let bytes), .field(let name)):
            guard field.readableBytes + bytes.readableBytes <= Self.maxFieldBytes else {
                throw .invalid(name, "is longer than \(Self.maxFieldBytes >> 10) KiB")
            }
            field.writeImmutableBuffer(bytes)
        case (.partEnded, .field(let name)):
            guard let text = String(validating: field.readableBytesView, as: UTF8.self) else {
                throw .invalid(name, "must be UTF-8")
            }
            fields[name] = text
        case (.partEnded, .file): try endFile()
        case (.content, _), (.partEnded, _): break
        }
    }

    private mutating func take(_ event: PhotoBatchParser.Event) throws(APIFailure) {
        switch event {
        case .jobId(let text): fields["jobId"] = text
        case .photoBegan: try beginFile()
        case .content(let bytes): try addToFile(bytes)
        case .photoEnded(let index):
            try endFile()
            places[places.count - 1] = index
        }
    }

    private mutating func begin(_ header: PartHeader) throws(APIFailure) -> Part {
        parts += 1
        guard parts <= Self.maxParts else {
            throw APIFailure(
                .invalidRequest, "The form has more than \(Self.maxParts) parts.",
                details: ["limit": .integer(Self.maxParts)])
        }
        let name = header.name ?? ""
        guard !form.fields.contains(name) else {
            field = ByteBuffer()
            return .field(name)
        }
        // Browsers send a part with an empty file name for a file that was not chosen.
        let isNamedFile = header.fileName?.isEmpty == false
        guard form.files.contains(name) || (form.takesAnyFile && isNamedFile) else { return .ignored }
        try beginFile()
        fileName = header.fileName.flatMap(ShownFileName.shown)
        return .file
    }

    private mutating func beginFile() throws(APIFailure) {
        guard places.count < form.maxFiles else {
            guard form.maxFiles > 1 else { throw .invalid(form.files[0], "was sent twice; send one file") }
            throw APIFailure(
                .batchTooLarge, "There are more than \(form.maxFiles) photos.",
                details: ["limit": .integer(form.maxFiles)])
        }
        places.append(nil)
        (fileBytes, wasChecked) = (0, false)
    }

    private mutating func addToFile(_ bytes: ByteBuffer) throws(APIFailure) {
        fileBytes += bytes.readableBytes
        guard fileBytes <= form.maxFileBytes else { throw longFile }
        pending.writeImmutableBuffer(bytes)
    }

    private mutating func endFile() throws(APIFailure) {
        guard fileBytes > 0 else { throw emptyFile }
        try flush()
        endedBytes += fileBytes
        fileBytes = 0
    }

    /// Queues the pending bytes for writing. Throws if the file's type is not accepted.
    private mutating func flush() throws(APIFailure) {
        if !wasChecked, let refusal = form.refusal(FileSignature(pending.readableBytesView)) { throw refusal }
        wasChecked = true
        if pending.readableBytes > 0 { pieces.append(Piece(file: places.count - 1, bytes: pending)) }
        pending = ByteBuffer()
    }

    private var longFile: APIFailure { tooLarge("The file is", form.maxFileBytes) }

    /// The failure for a body that cannot consist of acceptable files.
    private var longBody: APIFailure {
        if case .body = source { return longFile }
        return form.maxFiles > 1 ? tooLarge("Together, the files are", form.maxTotalBytes) : longFile
    }

    /// The failure for a form with too many bytes apart from its files.
    private var longForm: APIFailure { tooLarge("Apart from its files, the form is", Self.maxFormOverhead) }

    private func tooLarge(_ subject: String, _ limit: Int) -> APIFailure {
        let text = limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit) bytes"
        return APIFailure(.fileTooLarge, "\(subject) larger than \(text).", details: ["limit": .integer(limit)])
    }

    private var emptyFile: APIFailure { APIFailure(.invalidRequest, "The file is empty.") }
}

extension APIFailure {
    /// The failure for a body that is not a valid form.
    fileprivate init(_ fault: MultipartFault) { self.init(.invalidRequest, fault.sentence) }

    /// The failure for a body that is not a valid batch of photos.
    fileprivate init(_ fault: PhotoBatchParser.Fault) {
        self.init(.invalidRequest, fault.sentence, details: fault == .invalidIndex ? ["field": "index"] : nil)
    }
}
