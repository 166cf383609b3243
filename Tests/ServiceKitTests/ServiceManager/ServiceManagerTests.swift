import Foundation
import Logging
import Testing

@testable import ServiceKit

@Suite("What a process tells its service manager")
struct ServiceManagerTests {
    private let logger = Logger(label: "kit") { _ in SwiftLogNoOpLogHandler() }

    @Test("the last notice has arrived when a process may end, behind all before it")
    func lastNotice() throws {
        let socket = try NoticeSocket("@bookstrack-test-\(UUID())")
        let manager = ServiceManager(environment: ["NOTIFY_SOCKET": socket.name], processID: 1, logger: logger)
        manager.tell(.ready, .status("ready"))
        manager.tell(.stopping, .status("stopping"))
        manager.finish(within: 10)
        #expect(socket.next() == "READY=1\nSTATUS=ready")
        #expect(socket.next() == "STOPPING=1\nSTATUS=stopping")
        #expect(socket.next() == nil)
    }

    @Test("what is told after a pause arrives as well")
    func later() throws {
        let socket = try NoticeSocket("@bookstrack-test-\(UUID())")
        let manager = ServiceManager(environment: ["NOTIFY_SOCKET": socket.name], processID: 1, logger: logger)
        for text in ["one", "two"] {
            manager.tell(.status(text))
            manager.finish(within: 10)
            #expect(socket.next() == "STATUS=\(text)")
        }
    }

    @Test("a manager that is gone keeps nobody from ending")
    func goneManager() {
        let manager = ServiceManager(
            environment: ["NOTIFY_SOCKET": "/nonexistent/notify"], processID: 1, logger: logger)
        manager.tell(.stopping)
        manager.finish(within: 10)
    }
}
