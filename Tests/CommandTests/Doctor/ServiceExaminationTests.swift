import BookstrackContract
import Foundation
import ServiceKit
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("Services as the doctor sees them")
struct ServiceExaminationTests {
    private let directories: SuiteDirectories
    private let folder = "/tmp/bt-doctor-\(UInt32.random(in: .min ... .max))"

    init() throws {
        directories = try SuiteDirectories(
            Settings.load(
                arguments: [], environment: ["BOOKSTRACK_RUNTIME_DIR": folder, "BOOKSTRACK_DATA_DIR": folder]))
    }

    private func findings(_ report: ServiceReport) -> [Finding] {
        ServiceExamination(
            report: report, directories: directories,
            now: Date(timeIntervalSince1970: Double(SampleReports.now) / 1_000)
        ).findings()
    }

    /// A socket's file whose listener is gone, or still there.
    private func bind(listening: Bool) throws -> Int32 {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: directories.socket(of: .progressHost).utf8)
        }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(result == 0)
        if listening { #expect(listen(descriptor, 1) == 0) }
        return descriptor
    }

    @Test("no socket, a socket that was left behind, and one whose service does not answer are three things")
    func absences() throws {
        let down = SampleReports.down(.progressHost)
        #expect(findings(down)[0].statement.contains("there is no socket"))
        let left = try bind(listening: false)
        #expect(findings(down)[0].statement.contains("which an earlier run has left"))
        close(left)
        try FileManager.default.removeItem(atPath: folder)
        let silent = try bind(listening: true)
        #expect(findings(down)[0].advice?.contains("BOOKSTRACK_ALLOWED_UIDS") == true)
        close(silent)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("a service that is fit, one that is not, and one of another version")
    func answers() {
        #expect(
            findings(SampleReports.report(SampleReports.host)) == [
                .ok("progress-host", "ready, process 42, up 2 h 5 min")
            ])
        let stuck = SampleReports.status(.progressHost, .unavailable, because: "the disk is full")
        #expect(findings(SampleReports.report(stuck)).map(\.verdict) == [.problem])
        let other = SampleReports.status(.apiProxy, version: "9.9.9")
        #expect(findings(SampleReports.report(other)).map(\.verdict) == [.ok, .warning])
    }
}
