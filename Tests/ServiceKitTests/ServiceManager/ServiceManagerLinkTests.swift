import Foundation
import ServiceKit
import Testing

@Suite("Notices to the service manager")
struct ServiceManagerLinkTests {
    @Test("notices arrive as one message of assignments, at a path and at an abstract name")
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

    @Test("a status cannot smuggle in another assignment")
    func lines() {
        #expect(ServiceManagerNotice.status("full\nREADY=1\r\n").assignment == "STATUS=full READY=1")
    }

    @Test("without a usable socket name there is no link")
    func noManager() {
        for name in [nil, "", "@", "relative", "vsock:2:1", "/" + String(repeating: "x", count: 108)] {
            #expect(ServiceManagerLink(environment: name.map { ["NOTIFY_SOCKET": $0] } ?? [:]) == nil)
        }
    }

    @Test("a manager that is gone is told nothing, and nobody waits for it")
    func goneManager() throws {
        let link = try #require(ServiceManagerLink(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]))
        #expect(!link.send([.ready]))
    }
}
