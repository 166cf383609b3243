import Crypto
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import SuiteMethods

/// A file that is being uploaded: `uploads/.incoming/<random>/<name>`. Its methods block on the disk, as does creating it.
///
/// A file is locked (flock(2)) while it is open, so no sweep, in this or another process, mistakes the folder for a leftover, even while files are
/// renamed. The client's name for the file never becomes part of a path.
final class IncomingFile: Sendable {
    private struct State {
        var name: String
        var digest = SHA256()
        var lineEnds = LineEnds()
        var bytes = 0
    }

    /// The folder that contains only the files of the upload.
    let folder: String
    private let descriptor: CInt
    private let state: NIOLockedValueBox<State>

    /// The file's current name in its folder (``rename(to:)``).
    var name: String { state.withLockedValue(\.name) }

    /// Creates the folder (mode 0700) and the file (0600).
    init(in directory: String, named name: String) throws(UploadFault) {
        state = NIOLockedValueBox(State(name: name))
        var random = SystemRandomNumberGenerator()
        let folderName = (0..<4).map { _ in String(UInt32.random(in: .min ... .max, using: &random), radix: 36) }
            .joined()
        folder = "\(directory)/\(folderName)"
        guard mkdir(folder, 0o700) == 0 else { throw UploadFault(errno: errno) }
        descriptor = open(
            "\(folder)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let fault = UploadFault(errno: errno)
            rmdir(folder)
            throw fault
        }
        // A sweep may have found and deleted the file before it was locked.
        flock(descriptor, LOCK_EX)
        guard access(path, F_OK) == 0 else { throw .system(ENOENT) }
    }

    /// Creates another file in the folder of `first`, whose lock protects the folder until this file is also locked.
    init(beside first: IncomingFile, named name: String) throws(UploadFault) {
        state = NIOLockedValueBox(State(name: name))
        folder = first.folder
        descriptor = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw UploadFault(errno: errno) }
        flock(descriptor, LOCK_EX)
    }

    /// Wraps a file that is already open, without locking it.
    init(folder: String, named name: String = "file", descriptor: CInt) {
        state = NIOLockedValueBox(State(name: name))
        self.folder = folder
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    var path: String { "\(folder)/\(name)" }

    /// Size, line ends and digest of the bytes written so far.
    var contents: UploadedContents {
        state.withLockedValue { state in
            UploadedContents(
                bytes: state.bytes, lineEnds: state.lineEnds.count, sha256: state.digest.finalize().hexadecimal)
        }
    }

    /// Writes bytes at the end of the file, and includes them in ``contents``.
    ///
    /// - Parameter countsLines: Whether the bytes are text whose lines are counted.
    func append(_ piece: ByteBuffer, countsLines: Bool = true) throws(UploadFault) {
        let fault = piece.withUnsafeReadableBytes { bytes -> UploadFault? in
            var written = 0
            while written < bytes.count {
                let count = write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return UploadFault(errno: errno) }
                written += count
            }
            state.withLockedValue { state in
                state.digest.update(bufferPointer: bytes)
                if countsLines { state.lineEnds.count(bytes) }
                state.bytes += bytes.count
            }
            return nil
        }
        if let fault { throw fault }
    }

    /// Syncs the file and its name, so that both survive a power failure.
    func sync() throws(UploadFault) {
        guard fsync(descriptor) == 0 else { throw UploadFault(errno: errno) }
        try Self.sync(directory: folder)
    }

    /// Renames the folder, replacing an empty folder at `path`; returns false, and changes nothing, if the folder there has files.
    func move(to path: String) throws(UploadFault) -> Bool {
        if Glibc.rename(folder, path) == 0 { return true }
        guard [ENOTEMPTY, EEXIST].contains(errno) else { throw UploadFault(errno: errno) }
        return false
    }

    /// Renames the file within its folder.
    func rename(to name: String) throws(UploadFault) {
        guard Glibc.rename(path, "\(folder)/\(name)") == 0 else { throw UploadFault(errno: errno) }
        state.withLockedValue { $0.name = name }
    }

    /// Deletes the file and the folder; anything that remains is swept later.
    func remove() {
        unlink(path)
        rmdir(folder)
    }

    /// Syncs a directory, so that the names in it survive a power failure.
    static func sync(directory: String) throws(UploadFault) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UploadFault(errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw UploadFault(errno: errno) }
    }
}

/// Size, line count and digest of an uploaded file.
struct UploadedContents: Equatable {
    var bytes: Int
    /// Number of line feeds, and of carriage returns without a line feed: an estimate of the number of rows. 0 for a photo.
    var lineEnds: Int
    /// SHA-256 digest of the file, in hexadecimal digits.
    var sha256: String
}

/// Counts line ends in bytes that arrive in pieces.
struct LineEnds: Equatable {
    private(set) var count = 0
    private var endsWithReturn = false

    mutating func count(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            switch byte {
            case 0x0A:
                if !endsWithReturn { count += 1 }
                endsWithReturn = false
            case 0x0D:
                count += 1
                endsWithReturn = true
            default: endsWithReturn = false
            }
        }
    }
}

/// Why a file could not be written.
enum UploadFault: Error, Equatable {
    /// The disk is full, or a limit on its use or on the size of files is reached.
    case diskFull
    /// Any other system error (errno).
    case system(CInt)

    init(errno: CInt) { self = [ENOSPC, EDQUOT, EFBIG].contains(errno) ? .diskFull : .system(errno) }
}

extension UploadFault: CustomStringConvertible {
    /// The text for the log.
    var description: String {
        switch self {
        case .diskFull: "there is no space left for uploads"
        case .system(let code): String(cString: strerror(code))
        }
    }
}
