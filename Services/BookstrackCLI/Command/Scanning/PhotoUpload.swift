import BookstrackContract
import Foundation
import ImageFiles
import NIOCore
import NIOFoundationCompat

/// Photos of a shelf, ready to be sent as `multipart/form-data` (RFC 7578).
struct PhotoUpload {
    /// A photo on this machine.
    struct Photo {
        /// The file's name, for display.
        let name: String
        let bytes: Data
        let type: ImageType

        /// Throws `CommandFailure` if it is not a photo that a scan accepts.
        init(name: String, bytes: Data) throws {
            guard let type = ImageType(beginning: bytes) else {
                throw CommandFailure(.badInput, "\(name) is not a photo: send a JPEG, PNG, WebP or HEIC image")
            }
            guard bytes.count <= ScanLimit.photoBytes else {
                throw CommandFailure(
                    .badInput,
                    "\(name) has \(ByteCount.text(bytes.count)); a photo has at most \(ByteCount.text(ScanLimit.photoBytes))"
                )
            }
            self.name = name
            self.bytes = bytes
            self.type = type
        }
    }

    /// Sending the photos again under the same identifier gives the same job (scans.md "Routes").
    let jobId: JobID
    let photos: [Photo]
    let contentType: String
    let body: ByteBuffer

    /// Reads photos. Throws `CommandFailure`.
    init(files: [String]) throws {
        try self.init(
            photos: files.map { file in
                let bytes: Data
                do {
                    bytes = try Data(contentsOf: URL(filePath: file), options: .mappedIfSafe)
                } catch {
                    throw CommandFailure(.noInput, "cannot read \(file): \(error.localizedDescription)")
                }
                return try Photo(name: URL(filePath: file).lastPathComponent, bytes: bytes)
            })
    }

    /// - Parameter boundary: Separates the parts; must not occur in a photo.
    init(
        jobId: JobID = .random(), photos: [Photo], boundary: String = "bookstrack-\(UUID().uuidString)"
    ) {
        self.jobId = jobId
        self.photos = photos
        contentType = "multipart/form-data; boundary=\(boundary)"
        var body = ByteBuffer()
        body.reserveCapacity(photos.reduce(1_024) { $0 + $1.bytes.count + 256 })
        body.writeString("--\(boundary)\r\nContent-Disposition: form-data; name=\"jobId\"\r\n\r\n\(jobId)\r\n")
        for (number, photo) in photos.enumerated() {
            // Names of photos reveal something about their owner, and the server does not need them.
            body.writeString(
                """
                --\(boundary)\r
                Content-Disposition: form-data; name="photos"; filename="photo-\(number)"\r
                Content-Type: \(photo.type.mediaType)\r
                \r

                """)
            body.writeData(photo.bytes)
            body.writeString("\r\n")
        }
        body.writeString("--\(boundary)--\r\n")
        self.body = body
    }

    /// Number and size of the photos, for display.
    var summary: String {
        let size = ByteCount.text(photos.reduce(0) { $0 + $1.bytes.count })
        return "\(photos.count == 1 ? "1 photo" : "\(photos.count) photos"), \(size)"
    }
}
