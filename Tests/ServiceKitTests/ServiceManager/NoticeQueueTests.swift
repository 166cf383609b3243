import Testing

@testable import ServiceKit

@Suite("Notices that wait for the service manager")
struct NoticeQueueTests {
    @Test("messages leave in the order in which they were told")
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

    @Test("of statuses that follow each other only the last one waits, however many there are")
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
