import Glibc

/// Whether a descriptor leads into the system's journal (systemd.exec(5) "JOURNAL_STREAM").
package enum JournalStream {
    /// True when `JOURNAL_STREAM` names the device and inode of `descriptor`: what inherited the variable may write elsewhere.
    package static func isConnected(_ descriptor: CInt, environment: [String: String]) -> Bool {
        let numbers = environment["JOURNAL_STREAM"]?.split(separator: ":").map { UInt64($0) } ?? []
        var status = stat()
        guard numbers.count == 2, fstat(descriptor, &status) == 0 else { return false }
        return numbers[0] == UInt64(status.st_dev) && numbers[1] == UInt64(status.st_ino)
    }
}
