import NIOConcurrencyHelpers
import Testing

@testable import ProgressHost

@Suite("What waits for the engine")
struct MailboxTests {
    private let refused = NIOLockedValueBox<[HostFailure]>([])

    private func command(bytes: Int, isFact: Bool = false) -> EngineCommand {
        EngineCommand(
            durable: false, writes: false, bytes: bytes, isFact: isFact, run: { _, _ in },
            refuse: { [refused] failure in refused.withLockedValue { $0.append(failure) } })
    }

    @Test(
        "commands beyond the bound of bytes or of number are refused, facts are not, and an emptied mailbox takes more")
    func bounds() {
        let mailbox = Mailbox(limit: 3, byteLimit: 100)
        mailbox.put(command(bytes: 60))
        mailbox.put(command(bytes: 41))
        #expect(refused.withLockedValue { $0 } == [.storage("too many requests wait for the database")])
        mailbox.put(command(bytes: 40))
        mailbox.put(command(bytes: 0, isFact: true))
        mailbox.put(command(bytes: 0))
        #expect(refused.withLockedValue { $0.count } == 2)
        #expect(mailbox.empty().commands.count == 3)
        mailbox.put(command(bytes: 100))
        #expect(refused.withLockedValue { $0.count } == 2)
        #expect(mailbox.empty().commands.count == 1)
    }
}
