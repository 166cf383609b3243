import BookstrackContract
import Foundation
import ImageFiles

/// Photos of a shelf, ready to be sent.
struct PhotoUpload {
    /// A photo on this machine.
    struct Photo {
        /// The file's name, for display.
        let name: String
        let bytes: Data
        let type: ImageType

        /// Throws `CommandFailure` if the file is not a photo that a scan accepts.
        init(name: String, bytes: Data) throws {
            guard let type = ImageType(beginning: bytes) else {
                throw CommandFailure(.badInput, "\(name) is not a photo: send a JPEG, PNG, WebP or HEIC image")
            }
            guard bytes.count <= ScanLimit.photoBytes else {
                throw CommandFailure(
                    .badInput,
                    "\(name) is \(Self.size(bytes.count)); a photo may be at most \(ByteCount.text(ScanLimit.photoBytes))"
                )
            }
            self.name = name
            self.bytes = bytes
            self.type = type
        }

        /// The size in MiB, rounded up so that a photo that is too large never appears to have exactly the maximum size.
        private static func size(_ bytes: Int) -> String {
            let tenths = (bytes * 10 + (1 << 20) - 1) >> 20
            return "\(tenths / 10).\(tenths % 10) MiB"
        }
    }

    /// Sending the photos again under the same identifier returns the same job (scans.md "Routes").
    let jobId: JobID
    let photos: [Photo]

    /// Reads photos. Throws `CommandFailure`.
    init(files: [String]) throws {
        try self.init(
            photos: files.map { file in
                try Photo(name: URL(filePath: file).lastPathComponent, bytes: InputFile(argument: file).bytes)
            })
    }

    init(jobId: JobID = .random(), photos: [Photo]) {
        self.jobId = jobId
        self.photos = photos
    }

    /// Number and size of the photos, for display.
    var summary: String {
        let size = ByteCount.text(photos.reduce(0) { $0 + $1.bytes.count })
        return "\(CountText.text(photos.count, "photo")), \(size)"
    }
}
