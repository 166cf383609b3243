import Foundation
import Glibc
import Logging
import Testing
@testable import ServiceKit

@Suite("Notifications to the service manager")
struct ServiceManagerTests {
    private let logger = Logger(label: "kit") { _ in SwiftLogNoOpLogHandler() }

    @Test("all notifications, including the last one, arrive before the process ends")
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

    @Test("notifications after a pause also arrive")
    func later() throws {
        let socket = try NoticeSocket("@bookstrack-test-\(UUID())")
        let manager = ServiceManager(environment: ["NOTIFY_SOCKET": socket.name], processID: 1, logger: logger)
        for text in ["one", "two"] {
            manager.tell(.status(text))
            manager.finish(within: 10)
            #expect(socket.next() == "STATUS=\(text)")
        }
    }

    @Test("a missing service manager does not prevent the process from ending")
    func goneManager() {
        let manager = ServiceManager(
            environment: ["NOTIFY_SOCKET": "/nonexistent/notify"], processID: 1, logger: logger)
        manager.tell(.stopping)
        manager.finish(within: 10)
    }
}

@Suite("The notification queue")
struct NoticeQueueTests {
    @Test("notifications keep their order")
    func order() {
        var queue = NoticeQueue()
        queue.append([.status("starting")])
        queue.append([.ready, .status("ready")])
        queue.append([.stopping, .status("stopping")])
        #expect(queue.next() == [.status("starting")])
        #expect(queue.next() == [.ready, .status("ready")])
        #expect(queue.next() == [.stopping, .status("stopping")])
        #expect(queue.next() == nil)
    }

    @Test("of consecutive statuses, only the last one stays queued")
    func bound() {
        var queue = NoticeQueue()
        for number in 0..<1_000 { queue.append([.status("\(number)")]) }
        queue.append([.ready, .status("ready")])
        for number in 0..<1_000 { queue.append([.status("degraded \(number)")]) }
        #expect(queue.count == 3)
        #expect(queue.next() == [.status("999")])
        #expect(queue.next() == [.ready, .status("ready")])
        #expect(queue.next() == [.status("degraded 999")])
    }
}

@Suite("Service manager connection")
struct ServiceManagerLinkTests {
    @Test("a notification is a single message of assignments, whether sent to a path or to an abstract name")
    func arrival() throws {
        let scratch = try ScratchDirectory()
        for name in ["\(scratch.path)/notify", "@bookstrack-test-\(UUID())"] {
            let socket = try NoticeSocket(name)
            let link = try #require(ServiceManagerLink(environment: ["NOTIFY_SOCKET": name]))
            let isSent = link.send([.ready, .status("ready")])
            #expect(isSent)
            #expect(socket.next() == "READY=1\nSTATUS=ready")
            link.send([.alive])
            link.send([.stopping])
            #expect(socket.next() == "WATCHDOG=1")
            #expect(socket.next() == "STOPPING=1")
            #expect(socket.next() == nil)
        }
    }

    @Test("a status sent to the service manager cannot contain a further assignment")
    func lines() {
        #expect(ServiceManagerNotice.status("full\nREADY=1\r\n").assignment == "STATUS=full READY=1")
    }

    @Test("without a valid socket name, there is no link to the service manager")
    func noManager() {
        for name in [nil, "", "@", "relative", "vsock:2:1", "/" + String(repeating: "x", count: 108)] {
            #expect(ServiceManagerLink(environment: name.map { ["NOTIFY_SOCKET": $0] } ?? [:]) == nil)
        }
    }

    @Test("sending to a missing service manager fails immediately")
    func goneManager() throws {
        let link = try #require(ServiceManagerLink(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]))
        #expect(!link.send([.ready]))
    }
}

/// The service manager's end of the notification socket, a datagram socket.
struct NoticeSocket: ~Copyable {
    /// The value of `NOTIFY_SOCKET`.
    let name: String
    private let descriptor: CInt

    /// `name` is a path, or starts with "@" for the abstract namespace (unix(7)).
    init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    /// The next received message; nil if there is none.
    func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
