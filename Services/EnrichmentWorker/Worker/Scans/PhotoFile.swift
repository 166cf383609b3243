import BookstrackContract
import Crypto
import Foundation
import ImageFiles
import SuiteMethods
import Transfer

/// The properties of an uploaded photo needed before it is sent to an engine: its header, its digest, and the pieces to send.
struct PhotoFile: Sendable {
    /// Type, size and orientation.
    let header: ImageHeader
    /// SHA-256 of the upload in hexadecimal digits.
    let digest: String
    /// The photo without its metadata, except the orientation and the color profile.
    let sources: [TransferBody.Source]

    /// Reads the file once; blocks on the disk.
    ///
    /// - Throws: `PhotoFault` for a file that cannot be read or must not be sent to an engine.
    init(path: String) throws(PhotoFault) {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw .missing }
        let bytes = [UInt8](data)
        do throws(ImageFault) {
            header = try ImageHeader(bytes)
        } catch {
            throw .malformed
        }
        guard !header.isTooLarge else { throw .tooLarge }
        do throws(ImageFault) {
            sources = try ImageMetadata.removal(from: bytes).map { .init($0, of: path) }
        } catch {
            throw .malformed
        }
        digest = SHA256.hash(data: bytes).hexadecimal
    }
}

extension TransferBody.Source {
    fileprivate init(_ piece: ImageFilePiece, of path: String) {
        self =
            switch piece {
            case .kept(let range): .file(path: path, range)
            case .written(let bytes): .bytes(bytes)
            case .zeros(let count): .bytes(Array(repeating: 0, count: count))
            }
    }
}

extension PhotoFault {
    fileprivate static let missing = PhotoFault(
        .aiScanFailed, "The photo is no longer available. Please send it again.", isRetryable: false)
    fileprivate static let malformed = PhotoFault(
        .aiScanFailed, "The photo is damaged or of an unknown type. Send it as a JPEG.", isRetryable: false)
    fileprivate static let tooLarge = PhotoFault(
        .aiScanFailed, "The photo has more than 100 megapixels. Send a smaller one.", isRetryable: false)
}
