import BookstrackContract
import Foundation
import Glibc
import JSONRPC
import ServiceKit
import SuiteMethods

/// The data that the console page reads.
struct ConsoleReading: Sendable {
    /// A connection to progress-host that does not carry frames for live sockets.
    let host: RPCClient
    let workers: WorkerLinks
    let hub: SocketHub
    let history: MetricHistory
    let photos: ScanPhotoRoute
    /// The status of this process.
    let own: @Sendable () async -> ReadStatus.Result
    /// The settings of this process.
    let ownSettings: [ReadSettings.Setting]

    // MARK: The suite

    struct Overview: Codable, Sendable {
        var readiness: ReadinessReport
        var services: [Service]
        var openJobs: [MetricSnapshot.OpenJobs]
        var disk: Disk?
        var history: [HistoryPoint]
    }

    /// A process, with its status or the reason why there is no status.
    struct Service: Codable, Sendable {
        var name: String
        var status: ReadStatus.Result?
        var failure: String?
    }

    /// The file system that contains the uploads.
    struct Disk: Codable, Sendable {
        var freeBytes: Int
        var totalBytes: Int
    }

    func overview() async -> Overview {
        async let services = services()
        let own = await own()
        return Overview(
            readiness: own.readiness,
            services: [Service(name: ServiceName.apiProxy.rawValue, status: own)] + (await services),
            openJobs: history.latest?.openJobs ?? [], disk: disk, history: history.points)
    }

    /// progress-host and the workers.
    private var peers: [(ServiceInstance, RPCClient)] {
        [(.progressHost, host)] + workers.links.map { ($0.instance, $0.client) }
    }

    /// Asks progress-host and the workers for their status at the same time. The result is in the order of ``peers``.
    private func services() async -> [Service] {
        return await withTaskGroup { group in
            for (place, (instance, client)) in peers.enumerated() {
                group.addTask { (place, await Self.service(instance, client)) }
            }
            var found: [(Int, Service)] = []
            for await service in group { found.append(service) }
            return found.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func service(_ instance: ServiceInstance, _ client: RPCClient) async -> Service {
        do {
            return Service(name: instance.name, status: try await client.call(ReadStatus.self, Nothing()))
        } catch {
            return Service(
                name: instance.name, failure: error == .notConnected ? "not running or unreachable" : "\(error)")
        }
    }

    private var disk: Disk? {
        var volume = statvfs()
        let path = photos.uploads.directory.path
        guard statvfs(path, &volume) == 0 || statvfs((path as NSString).deletingLastPathComponent, &volume) == 0 else {
            return nil
        }
        let block = UInt64(volume.f_frsize)
        return Disk(
            freeBytes: Int(clamping: UInt64(volume.f_bavail) * block),
            totalBytes: Int(clamping: UInt64(volume.f_blocks) * block))
    }

    struct Providers: Codable, Sendable {
        /// The state of each provider in each worker.
        var workers: [Worker]
        /// The providers' activity in the last hour.
        var hour: [ProviderHour]
    }

    struct Worker: Codable, Sendable {
        var name: String
        var providers: [ProviderFigure]
    }

    func providers() async -> Providers {
        let workers = await services().compactMap { service in
            service.status?.worker.map { Worker(name: service.name, providers: $0.providers) }
        }
        return Providers(workers: workers, hour: history.providers)
    }

    /// Enrichment quality figures by day, from `since` on (in milliseconds since 1970).
    func analytics(_ query: QueryItems) async throws -> QueryAnalytics.Result {
        try await host.call(
            QueryAnalytics.self, .init(since: try query.number("since", in: 0...Int.max).map(Int64.init)))
    }

    /// ISBNs that failed or were reported; all workers share one list.
    func failingISBNs() async throws -> ReadFailingISBNs.Result {
        try await askWorker(ReadFailingISBNs.self, .init(limit: Self.maxFailingISBNs))
    }

    private static let maxFailingISBNs = 100

    func probe() async throws -> ProbeProviders.Result { try await askWorker(ProbeProviders.self, Nothing()) }

    private func askWorker<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) async throws -> Method.Result {
        do throws(RPCError) {
            return try await workers.call(method, parameters)
        } catch let error where error != .cancelled {
            throw APIFailure(fromWorker: error)
        }
    }

    struct ServiceSettings: Codable, Sendable {
        var name: String
        var settings: [ReadSettings.Setting]
        var failure: String?
    }

    /// The settings of each process, without secrets.
    func settings() async -> [ServiceSettings] {
        var found = [ServiceSettings(name: ServiceName.apiProxy.rawValue, settings: ownSettings)]
        for (instance, client) in peers {
            do {
                let answer = try await client.call(ReadSettings.self, Nothing())
                found.append(ServiceSettings(name: instance.name, settings: answer.settings))
            } catch {
                found.append(ServiceSettings(name: instance.name, settings: [], failure: "\(error)"))
            }
        }
        return found
    }

    func audit(_ query: QueryItems) async throws -> ReadAudit.Result {
        try await host.call(
            ReadAudit.self,
            ReadAudit.Parameters(
                limit: try query.number("limit", in: 1...ReadAudit.maxPageSize) ?? 50,
                before: try query.number("before", in: 0...Int.max).map(Int64.init)))
    }

    // MARK: Jobs

    struct Jobs: Codable, Sendable {
        var jobs: [ListedJob]
        /// The `cursor` of the next page; nil if there is none.
        var next: String?
        /// Whether a search ran out of time before it had checked every title.
        var partial: Bool
    }

    /// A page of jobs (console.md "Jobs").
    func jobs(_ query: QueryItems) async throws -> Jobs {
        var parameters = ListJobs.Parameters(limit: try query.number("limit", in: 1...ListJobs.maxPageSize) ?? 50)
        parameters.statuses = try query.cases("status")
        parameters.pipelines = try query.cases("pipeline")
        parameters.createdFrom = try query.number("from", in: 0...Int.max).map(Int64.init)
        parameters.createdBefore = try query.number("before", in: 0...Int.max).map(Int64.init)
        parameters.search = query["q"].flatMap { $0.isEmpty ? nil : $0 }
        if let text = query["cursor"] {
            let parts = text.split(separator: ".").map { Int64($0) }
            guard parts.count == 2, let createdAt = parts[0], let number = parts[1] else {
                throw APIFailure.invalid("cursor", "is not valid for this list")
            }
            parameters.cursor = ListJobs.Cursor(createdAt: createdAt, number: number)
        }
        let page = try await host.call(ListJobs.self, parameters)
        return Jobs(
            jobs: page.jobs, next: page.next.map { "\($0.createdAt).\($0.number)" }, partial: page.partial ?? false)
    }

    struct Job: Codable, Sendable {
        var detail: ReadJobDetail.Result
        var watchers: [WatcherFigure]
        /// The latest operator actions on the job, newest first.
        var audit: [ReadAudit.Entry]
    }

    func job(_ id: JobID) async throws -> Job {
        async let audit = host.call(ReadAudit.self, ReadAudit.Parameters(limit: 20, jobId: id))
        let detail = try await host.call(ReadJobDetail.self, ReadJobDetail.Parameters(jobId: id))
        return Job(detail: detail, watchers: try await hub.watchers(of: id), audit: try await audit.entries)
    }

    func items(of id: JobID, _ query: QueryItems) async throws -> ReadJobItems.Result {
        let states: [ReadJobItems.State] = try query.cases("state")
        return try await host.call(
            ReadJobItems.self,
            ReadJobItems.Parameters(
                jobId: id, state: states.first, from: try query.number("from", in: 0...Int.max) ?? 0,
                limit: try query.number("limit", in: 1...ReadJobItems.maxPageSize) ?? 50))
    }

    func failures(_ query: QueryItems) async throws -> ReadFailures.Result {
        try await host.call(
            ReadFailures.self,
            ReadFailures.Parameters(createdFrom: Int64(try query.number("from", in: 0...Int.max) ?? 0)))
    }
}

extension QueryItems {
    /// The number in a parameter; nil if the parameter is absent. Throws 400 for a value that is not a whole number in `range`.
    fileprivate func number(_ name: String, in range: ClosedRange<Int>) throws(APIFailure) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .invalid(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The non-empty values of a parameter. Throws 400 for an unknown value.
    fileprivate func cases<Value: CaseIterable & RawRepresentable<String>>(
        _ name: String
    ) throws(APIFailure) -> [Value] {
        var found: [Value] = []
        for text in values(of: name, atMost: Value.allCases.count) where !text.isEmpty {
            guard let value = Value(rawValue: text) else { throw .invalid(name, notIn: Value.self) }
            found.append(value)
        }
        return found
    }
}
