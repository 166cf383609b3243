import Foundation

/// A `multipart/form-data` body (RFC 7578) for an upload.
struct MultipartForm {
    private let boundary = "bookstrack-\(UUID().uuidString)"
    private var bytes = Data()

    /// The `Content-Type` of the request.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The complete body.
    var body: Data { bytes + Data("--\(boundary)--\r\n".utf8) }

    /// Adds a field.
    mutating func add(_ name: String, _ value: String) {
        begin(name, extra: "")
        bytes.append(Data("\(value)\r\n".utf8))
    }

    /// Adds a file. Quotes and line breaks in its name are escaped as browsers do (HTML standard §4.10.21.8).
    mutating func add(_ name: String, file: Data, named filename: String, type: String) {
        // Scalars are replaced, because a quote and a following combining mark form one character.
        let escaped = filename.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            default: text.unicodeScalars.append(scalar)
            }
        }
        begin(name, extra: "; filename=\"\(escaped)\"\r\nContent-Type: \(type)")
        bytes.append(file)
        bytes.append(Data("\r\n".utf8))
    }

    private mutating func begin(_ name: String, extra: String) {
        bytes.append(Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\(extra)\r\n\r\n".utf8))
    }
}
