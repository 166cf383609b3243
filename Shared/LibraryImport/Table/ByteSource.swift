import Glibc

/// The bytes of a library file, in memory or read in blocks. No read position is kept, so several passes may run concurrently.
struct ByteSource: Sendable {
    private enum Storage: Sendable {
        case memory([UInt8])
        case file(OpenFile)
    }

    private let storage: Storage
    let count: Int

    init(_ bytes: [UInt8]) {
        storage = .memory(bytes)
        count = bytes.count
    }

    /// Opens a regular file. The file is not mapped into memory, because a process that accesses a truncated part of a mapped file is terminated by a
    /// signal; here, reading that part fails.
    ///
    /// - Parameter expectedCount: The size that the file must have; nil for any size.
    init(path: String, expectedCount: Int?) throws(LibraryFileFault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, errno: errno) }
        let file = OpenFile(descriptor: descriptor, path: path)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(path: path, errno: ESPIPE) }
        storage = .file(file)
        count = Int(status.st_size)
        guard expectedCount == nil || expectedCount == count else { throw file.sizeFault }
    }

    /// Reads a block and returns the number of bytes read; 0 only at the end.
    func read(at offset: Int, into block: UnsafeMutableBufferPointer<UInt8>) throws(LibraryFileFault) -> Int {
        let length = min(block.count, count - offset)
        guard length > 0 else { return 0 }
        switch storage {
        case .memory(let bytes):
            return bytes.withUnsafeBufferPointer { bytes in
                UnsafeMutableRawBufferPointer(block)
                    .copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[offset..<offset + length]))
                return length
            }
        case .file(let file):
            while true {
                let found = pread(file.descriptor, block.baseAddress, length, offset)
                if found > 0 { return found }
                // The file has become shorter.
                if found == 0 { throw file.sizeFault }
                guard errno == EINTR else { throw .unreadable(path: file.path, errno: errno) }
            }
        }
    }
}

/// Closes the file when the last table that uses it is released.
private final class OpenFile: Sendable {
    let descriptor: CInt
    let path: String

    init(descriptor: CInt, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// The fault of a file that does not have the expected size or has become shorter.
    var sizeFault: LibraryFileFault { .unreadable(path: path, errno: EIO) }
}
