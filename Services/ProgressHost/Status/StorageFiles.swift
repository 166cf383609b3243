import GRDB
import ServiceKit
import SuiteMethods

/// Sizes of the files of `jobs.sqlite`; 0 for one that is not there.
struct StorageFiles {
    private let path: String

    init(_ pool: DatabasePool) { path = pool.path }

    func figures(_ state: EngineThread.StorageState) -> HostFigures.Storage {
        let refusal: String? =
            switch state {
            case .working: nil
            case .refusing(let reason): reason
            }
        return HostFigures.Storage(
            refusal: refusal, databaseBytes: FileSize.bytes(at: path) ?? 0,
            logBytes: FileSize.bytes(at: path + "-wal") ?? 0)
    }
}
