import Foundation

/// Sizes of files.
package enum FileSize {
    /// Bytes of the file at `path`; nil when it is not there or cannot be looked at (stat(2)).
    package static func bytes(at path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
