import Foundation
import ServiceKit
import SuiteMethods

/// Looks at everything that the services need, in the order in which a fault of one explains those after it. Says something useful also
/// when nothing runs.
struct Diagnosis: Sendable {
    let settings: Settings
    let directories: SuiteDirectories
    var clock = ClockExamination()

    func findings() async -> [Finding] {
        let reports = await StatusCalls(directories: directories).reports()
        let workers = reports.filter { $0.service.service == .enrichmentWorker }
        let proxy = reports.first { $0.service == .apiProxy }?.status
        let own =
            SettingsExamination(settings: settings).findings()
            + DirectoryExamination(path: directories.runtime, subject: "runtime directory").findings()
            + DirectoryExamination(path: directories.storage, subject: "data directory").findings()
            + clock.findings(database: directories.file("jobs.sqlite"))
        let services = reports.flatMap { ServiceExamination(report: $0, directories: directories).findings() }
        async let providers = ProviderExamination(directories: directories).findings(workers)
        async let listener = ListenerExamination(settings: settings).findings(isRunning: proxy != nil)
        return await own + services + databases
            + OpenFilesExamination(sockets: settings[.maxSockets]).findings(proxy) + providers + listener
    }

    private var databases: [Finding] {
        StorageCheck(storage: directories.storage, depth: .quick).soundness()
    }
}
