import Foundation
import GRDB
import SuiteMethods

/// Sizes of the files of `jobs.sqlite`.
struct StorageFiles {
    private let path: String

    init(_ pool: DatabasePool) { path = pool.path }

    func figures(_ state: EngineThread.StorageState) -> HostFigures.Storage {
        let refusal: String? =
            switch state {
            case .working: nil
            case .refusing(let reason): reason
            }
        return HostFigures.Storage(refusal: refusal, databaseBytes: bytes(path), logBytes: bytes(path + "-wal"))
    }

    /// 0 for a file that is not there.
    private func bytes(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
