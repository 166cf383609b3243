import Foundation
import NIOConcurrencyHelpers
import Testing
import TestSupport
@testable import ProgressHost

@Suite("Timer queue")
struct TimerQueueTests {
    @Test("a timer fires only once, when it is due, however timers are set, moved and cancelled", arguments: 0..<30)
    func againstAModel(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var queue = TimerQueue<Int>()
        var model: [Int: Duration] = [:]
        var now = Duration.zero
        for _ in 0..<2_000 {
            let timer = Int.random(in: 0..<40, using: &random)
            let time = now + .milliseconds(Int.random(in: 0...500, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                queue.set(timer, at: time)
                model[timer] = time
            case 2:
                queue.setAtLatest(timer, at: time)
                model[timer] = min(model[timer] ?? time, time)
            case 3:
                queue.cancel(timer)
                model[timer] = nil
            default:
                now += .milliseconds(Int.random(in: 0...80, using: &random))
                var fired: [Int] = []
                while let timer = queue.pop(at: now) { fired.append(timer) }
                let due = model.filter { $0.value <= now }
                #expect(fired.sorted() == due.keys.sorted())
                for timer in due.keys { model[timer] = nil }
            }
            #expect(queue.count == model.count)
            for (timer, time) in model { #expect(queue.time(of: timer) == time) }
            if let first = model.values.min() { #expect(queue.next.map { $0 <= first } == true) }
        }
    }

    @Test("two timers fire in the order of their current times, even if one was moved past the other")
    func order() {
        var queue = TimerQueue<String>()
        queue.set("a", at: .seconds(1))
        queue.set("b", at: .seconds(2))
        queue.set("a", at: .seconds(3))
        #expect(queue.pop(at: .seconds(9)) == "b")
        #expect(queue.pop(at: .seconds(9)) == "a")
        #expect(queue.pop(at: .seconds(9)) == nil)
    }

    @Test("a timer that is set repeatedly fires only once")
    func bounded() {
        var queue = TimerQueue<Int>()
        for step in 0..<10_000 { queue.set(1, at: .milliseconds(step)) }
        var looked = 0
        while queue.pop(at: .seconds(100)) != nil { looked += 1 }
        #expect(looked == 1)
        #expect(queue.next == nil)
    }

    @Test("setting and cancelling timers repeatedly does not grow the queue")
    func cancelled() {
        var queue = TimerQueue<Int>()
        for step in 0..<10_000 {
            queue.set(step % 3, at: .seconds(30) + .milliseconds(step))
            queue.cancel(step % 3)
        }
        #expect(queue.count == 0)
        #expect(queue.backlog == 3)
        queue.set(1, at: .seconds(31))
        #expect(queue.pop(at: .seconds(40)) == 1)
        #expect(queue.pop(at: .seconds(100)) == nil)
        #expect(queue.backlog == 0)
    }
}

@Suite("The engine's mailbox and wake signal")
struct MailboxTests {
    private let refused = NIOLockedValueBox<[HostFailure]>([])

    private func command(bytes: Int, isFact: Bool = false, durable: Bool = false) -> EngineCommand {
        EngineCommand(
            durable: durable, writes: false, bytes: bytes, isFact: isFact, run: { _, _ in },
            refuse: { [refused] failure in refused.withLockedValue { $0.append(failure) } })
    }

    @Test("commands beyond the byte or count limit are refused, except facts, and an emptied mailbox accepts more")
    func bounds() {
        let mailbox = Mailbox(limit: 3, byteLimit: 100)
        mailbox.put(command(bytes: 60))
        mailbox.put(command(bytes: 41))
        #expect(refused.withLockedValue { $0 } == [.storage("too many requests are waiting for the database")])
        mailbox.put(command(bytes: 40))
        mailbox.put(command(bytes: 0, isFact: true))
        mailbox.put(command(bytes: 0))
        #expect(refused.withLockedValue { $0.count } == 2)
        #expect(mailbox.takeAll()?.commands.count == 3)
        mailbox.done()
        mailbox.put(command(bytes: 100))
        #expect(refused.withLockedValue { $0.count } == 2)
        #expect(mailbox.takeAll()?.commands.count == 1)
    }

    @Test("a caller takes a small group, and the engine's thread takes a group that is large or must be synced")
    func smallGroups() {
        let mailbox = Mailbox()
        mailbox.admitCallers(true)
        #expect(mailbox.takeSmallGroup()?.count == nil)
        for _ in 0..<4 { mailbox.put(command(bytes: 10), wakes: false) }
        #expect(mailbox.takeSmallGroup()?.count == 4)
        mailbox.done()
        for _ in 0..<5 { mailbox.put(command(bytes: 10), wakes: false) }
        #expect(mailbox.takeSmallGroup()?.count == nil)
        #expect(mailbox.takeAll()?.commands.count == 5)
        mailbox.done()
        mailbox.put(command(bytes: 20_000), wakes: false)
        #expect(mailbox.takeSmallGroup()?.count == nil)
        #expect(mailbox.takeAll()?.commands.count == 1)
        mailbox.done()
        mailbox.put(command(bytes: 0, durable: true), wakes: false)
        #expect(mailbox.takeSmallGroup()?.count == nil)
        #expect(mailbox.takeAll()?.commands.count == 1)
    }

    @Test("a signal ends the wait of another thread, or the next wait if no thread is waiting")
    func signal() {
        let signal = WakeSignal()
        #expect(!signal.wait(atMost: .milliseconds(1)))
        signal.set()
        signal.set()
        #expect(signal.wait(atMost: .seconds(60)))
        #expect(!signal.wait(atMost: .zero))
        Thread.detachNewThread { signal.set() }
        #expect(signal.wait(atMost: .seconds(60)))
    }

    @Test("only one thread at a time takes commands")
    func exclusion() {
        let mailbox = Mailbox()
        mailbox.admitCallers(true)
        mailbox.put(command(bytes: 0), wakes: false)
        #expect(mailbox.takeSmallGroup()?.count == 1)
        mailbox.put(command(bytes: 0), wakes: false)
        #expect(mailbox.takeSmallGroup()?.count == nil)
        #expect(mailbox.takeAll()?.commands.count == nil)
        mailbox.done()
        #expect(mailbox.wait(atMost: .zero))
        #expect(mailbox.takeAll()?.commands.count == 1)
    }

    @Test("the engine's thread is woken only for commands that no caller runs")
    func wakeups() {
        let mailbox = Mailbox()
        mailbox.admitCallers(true)
        for _ in 0..<4 { mailbox.put(command(bytes: 0), wakes: false) }
        #expect(!mailbox.wait(atMost: .zero))
        mailbox.put(command(bytes: 0), wakes: false)
        #expect(mailbox.wait(atMost: .zero))
        _ = mailbox.takeAll()
        mailbox.done()
        #expect(!mailbox.wait(atMost: .zero))
        mailbox.put(command(bytes: 0), wakes: false)
        mailbox.put(command(bytes: 0))
        #expect(mailbox.wait(atMost: .zero))
        #expect(mailbox.takeSmallGroup()?.count == nil)
        _ = mailbox.takeAll()
        mailbox.done()
        mailbox.admitCallers(false)
        mailbox.put(command(bytes: 0), wakes: false)
        #expect(mailbox.wait(atMost: .zero))
    }
}
