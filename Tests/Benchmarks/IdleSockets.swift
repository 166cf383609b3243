import BookstrackContract
import ProgressClient
import SuiteFixture

/// Many sockets on which nothing happens.
enum IdleSockets {
    /// Makes jobs, and says where their sockets are opened.
    static func paths(jobs: Int, _ puppet: WorkerPuppet) async throws -> [String] {
        var paths: [String] = []
        for _ in 0..<jobs {
            let id = JobID.random()
            paths.append("/ws/progress?jobId=\(id)&token=\(try await puppet.createJob(id, count: 10))")
        }
        return paths
    }

    /// Opens `count` sockets, spread over the paths.
    static func open(_ count: Int, at paths: [String], _ suite: Suite) async throws -> [ProgressSocket] {
        var open: [ProgressSocket] = []
        for index in 0..<count {
            let socket = try await ProgressSocket.connect(to: suite.address, path: paths[index % paths.count])
            try await socket.send(text: #"{"type":"ready"}"#)
            open.append(socket)
        }
        return open
    }
}
