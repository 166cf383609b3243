import Foundation
import ServiceKit
import SuiteMethods

/// Examines everything that the services need, in the order in which a fault of one explains those after it. Most useful when nothing works.
struct Diagnosis: Sendable {
    let command: CommandSettings
    var clock = ClockExamination()

    func findings() async -> [Finding] {
        let survey = await SettingsSurvey.take(command)
        let settings = survey.settings
        let directories = command.directories
        let reports = await StatusCalls(command).reports()
        let workers = reports.filter { $0.service.service == .enrichmentWorker }
        let proxy = reports.first { $0.service == .apiProxy }?.status
        let own =
            SurveyExamination(survey: survey).findings()
            + SettingsExamination(settings: settings, warnings: command.own.warnings).findings()
            + DirectoryExamination(path: directories.runtime, subject: "runtime directory").findings()
            + DirectoryExamination(path: directories.storage, subject: "data directory").findings()
            + clock.findings(database: directories.file("jobs.sqlite"))
        let services = reports.flatMap { ServiceExamination(report: $0).findings() }
        async let providers = ProviderExamination(directories: directories).findings(workers)
        async let listener = ListenerExamination(settings: settings).findings(isRunning: proxy != nil)
        return await own + services + databases
            + OpenFilesExamination(sockets: settings[.maxSockets]).findings(proxy) + providers + listener
    }

    private var databases: [Finding] {
        StorageCheck(storage: command.directories.storage, depth: .quick).soundness()
    }
}
