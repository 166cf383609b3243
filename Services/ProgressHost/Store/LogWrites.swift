import Foundation
import GRDBSQLite
import SuiteStorage

/// A layer over SQLite's file access (sqlite.org/vfs.html) that writes a transaction's frames to the write-ahead log of `jobs.sqlite` in calls of up
/// to 64 KiB, usually in a single one.
///
/// SQLite writes each frame in two calls, its header and its page, and a small transaction has five or six frames. Here, frames that follow each
/// other gather in memory until the last page of the transaction, so the commit still returns only after the kernel has all of them, and a failed
/// write still fails the commit. Every other access to the log writes the gathered frames first.
///
/// Only for a database with a single writer: if a transaction is rolled back, its gathered frames may be written after the next one has begun, and
/// could overwrite frames that another process has written since.
enum LogWrites {
    /// Maximum number of gathered bytes. It must be below 128 KiB, the limit of SQLite's own file access per call.
    private static let capacity = 64 << 10
    /// Length of a frame's header, whose bytes 4 to 7 are 0 unless the frame ends a transaction (sqlite.org/fileformat2.html#walformat).
    private static let headerLength = 24

    /// Uses the layer for every `jobs.sqlite` that is opened from now on in this process. If SQLite refuses the layer, its own file access is used.
    static func gather() { _ = isRegistered }

    private static let isRegistered: Bool = {
        guard let system else { return false }
        let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        layer.initialize(to: system.pointee)
        layer.pointee.zName = UnsafePointer(strdup("gathered-log"))
        layer.pointee.szOsFile += CInt(MemoryLayout<LogFile>.stride)
        layer.pointee.xOpen = { _, name, file, flags, opened in LogWrites.open(name, file, flags, opened) }
        return sqlite3_vfs_register(layer, 1) == SQLITE_OK
    }()

    // SQLite never changes or frees its own file access, and the pointer is read once, before the layer replaces it as the default.
    private nonisolated(unsafe) static let system = sqlite3_vfs_find(nil)

    // Initialized once and never changed or freed.
    private nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 1
        methods.pointee.xClose = { LogFile.of($0)?.pointee.close() ?? SQLITE_IOERR }
        methods.pointee.xRead = { file, bytes, count, offset in
            LogFile.of(file)?.pointee.written { $0.pMethods.pointee.xRead($1, bytes, count, offset) }
                ?? SQLITE_IOERR
        }
        methods.pointee.xWrite = { file, bytes, count, offset in
            guard let log = LogFile.of(file), let bytes else { return SQLITE_IOERR }
            return log.pointee.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
        }
        methods.pointee.xTruncate = { file, size in
            LogFile.of(file)?.pointee.truncate(to: size) ?? SQLITE_IOERR
        }
        methods.pointee.xSync = { file, flags in
            LogFile.of(file)?.pointee.written { $0.pMethods.pointee.xSync($1, flags) } ?? SQLITE_IOERR
        }
        methods.pointee.xFileSize = { file, size in
            LogFile.of(file)?.pointee.written { $0.pMethods.pointee.xFileSize($1, size) } ?? SQLITE_IOERR
        }
        methods.pointee.xFileControl = { file, operation, argument in
            LogFile.of(file)?.pointee.written { $0.pMethods.pointee.xFileControl($1, operation, argument) }
                ?? SQLITE_NOTFOUND
        }
        methods.pointee.xSectorSize = { file in
            guard let inner = LogFile.of(file)?.pointee.inner else { return 0 }
            return inner.pointee.pMethods.pointee.xSectorSize(inner)
        }
        methods.pointee.xDeviceCharacteristics = { file in
            guard let inner = LogFile.of(file)?.pointee.inner else { return 0 }
            return inner.pointee.pMethods.pointee.xDeviceCharacteristics(inner)
        }
        // SQLite locks the database file and its shared memory, never the log (sqlite.org/walformat.html).
        methods.pointee.xLock = { _, _ in SQLITE_OK }
        methods.pointee.xUnlock = { _, _ in SQLITE_OK }
        methods.pointee.xCheckReservedLock = { _, isReserved in
            isReserved?.pointee = 0
            return SQLITE_OK
        }
        return UnsafePointer(methods)
    }()

    private static func open(
        _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: CInt,
        _ opened: UnsafeMutablePointer<CInt>?
    ) -> CInt {
        guard let system, let file else { return SQLITE_CANTOPEN }
        guard flags & SQLITE_OPEN_WAL != 0, let name,
            String(cString: name).hasSuffix("/\(SuiteDatabase.jobs.fileName)-wal")
        else {
            return system.pointee.xOpen(system, name, file, flags, opened)
        }
        return LogFile.open(name, file, flags, opened, by: system, methods: methods)
    }

    /// SQLite's open log, with the system's own file behind it in the memory that SQLite provides.
    private struct LogFile {
        private var base = sqlite3_file()
        let inner: UnsafeMutablePointer<sqlite3_file>
        /// The buffer for gathered bytes; nil until frames gather for the first time.
        private var gathered: UnsafeMutableRawBufferPointer?
        private var count = 0
        /// Offset in the log at which the gathered bytes begin.
        private var start: Int64 = 0
        /// The end of the last frame; -1 if unknown.
        private var end: Int64 = -1
        /// Whether the frame in progress ends a transaction.
        private var isCommit = false
        /// Whether frames may gather: only if a write cannot damage the bytes around it, because SQLite otherwise pads the log to a whole sector
        /// after a commit.
        private let gathers: Bool

        static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<LogFile>? {
            UnsafeMutableRawPointer(file)?.assumingMemoryBound(to: LogFile.self)
        }

        static func open(
            _ name: UnsafePointer<CChar>, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: CInt,
            _ opened: UnsafeMutablePointer<CInt>?, by system: UnsafeMutablePointer<sqlite3_vfs>,
            methods: UnsafePointer<sqlite3_io_methods>
        ) -> CInt {
            let place = UnsafeMutableRawPointer(file)
            let inner = (place + MemoryLayout<LogFile>.stride).assumingMemoryBound(to: sqlite3_file.self)
            file.pointee.pMethods = nil
            let outcome = system.pointee.xOpen(system, name, inner, flags, opened)
            guard outcome == SQLITE_OK else { return outcome }
            let traits = inner.pointee.pMethods.pointee.xDeviceCharacteristics(inner)
            let gathers = traits & SQLITE_IOCAP_POWERSAFE_OVERWRITE != 0
            place.initializeMemory(as: LogFile.self, to: LogFile(inner: inner, gathers: gathers))
            file.pointee.pMethods = methods
            return SQLITE_OK
        }

        private init(inner: UnsafeMutablePointer<sqlite3_file>, gathers: Bool) {
            self.inner = inner
            self.gathers = gathers
        }

        mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> CInt {
            let isHeader = bytes.count == headerLength
            if isHeader { isCommit = bytes[4..<8].contains { $0 != 0 } }
            guard gathers, offset == end, bytes.count <= capacity else {
                // SQLite also rewrites earlier frames of the transaction; such a write does not move the end of the log.
                if offset == 0 || offset + Int64(bytes.count) > end { end = offset + Int64(bytes.count) }
                return written { $0.pMethods.pointee.xWrite($1, bytes.baseAddress, CInt(bytes.count), offset) }
            }
            if count + bytes.count > capacity {
                let outcome = flush()
                guard outcome == SQLITE_OK else { return outcome }
            }
            let buffer = gathered ?? .allocate(byteCount: capacity, alignment: 16)
            gathered = buffer
            if count == 0 { start = offset }
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
            count += bytes.count
            end += Int64(bytes.count)
            return isCommit && !isHeader ? flush() : SQLITE_OK
        }

        /// Writes the gathered frames, and then accesses the system's file.
        mutating func written(
            _ access: (sqlite3_file, UnsafeMutablePointer<sqlite3_file>) -> CInt
        ) -> CInt {
            let outcome = flush()
            return outcome == SQLITE_OK ? access(inner.pointee, inner) : outcome
        }

        mutating func truncate(to size: Int64) -> CInt {
            end = -1
            return written { $0.pMethods.pointee.xTruncate($1, size) }
        }

        mutating func close() -> CInt {
            let outcome = flush()
            gathered?.deallocate()
            let closed = inner.pointee.pMethods.pointee.xClose(inner)
            return outcome == SQLITE_OK ? closed : outcome
        }

        private mutating func flush() -> CInt {
            guard count > 0, let gathered else { return SQLITE_OK }
            defer { count = 0 }
            return inner.pointee.pMethods.pointee.xWrite(inner, gathered.baseAddress, CInt(count), start)
        }
    }
}
