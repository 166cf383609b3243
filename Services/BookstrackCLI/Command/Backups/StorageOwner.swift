import Foundation

/// The user and group that own a data directory. What root makes in it is given to them, so that the services can open it.
struct StorageOwner {
    private let user: uid_t
    private let group: gid_t

    init(directory: String) throws {
        var status = stat()
        guard stat(directory, &status) == 0 else { throw CommandFailure(errno: errno, "cannot look at \(directory)") }
        (user, group) = (status.st_uid, status.st_gid)
    }

    /// As root, gives a file or directory to the owner; what others make is theirs already.
    func give(_ path: String) throws {
        guard geteuid() != 0 || chown(path, user, group) == 0 else {
            throw CommandFailure(errno: errno, "cannot give \(path) to the owner of the data")
        }
    }
}
