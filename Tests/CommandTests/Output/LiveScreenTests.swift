import NIOConcurrencyHelpers
import Testing

@testable import BookstrackCLI

@Suite("Text that is drawn again")
struct LiveScreenTests {
    private func written(isTerminal: Bool, _ body: (LiveScreen) -> Void) -> [String] {
        let writes = NIOLockedValueBox<[String]>([])
        body(LiveScreen(isTerminal: isTerminal) { text in writes.withLockedValue { $0.append(text) } })
        return writes.withLockedValue { $0 }
    }

    @Test("on a terminal each drawing is one write that goes over the last, and leaves no rest of it")
    func terminal() {
        let writes = written(isTerminal: true) { screen in
            screen.begin()
            screen.draw(["one", "two", "three"], rows: 2)
            screen.end()
        }
        #expect(
            writes == [
                "\u{1B}[?1049h\u{1B}[?25l", "\u{1B}[Hone\u{1B}[K\r\ntwo\u{1B}[K\u{1B}[J", "\u{1B}[?25h\u{1B}[?1049l",
            ])
    }

    @Test("elsewhere drawings are blocks")
    func blocks() {
        let writes = written(isTerminal: false) { screen in
            screen.begin()
            screen.draw(["one", "two"], rows: nil)
            screen.draw(["three"], rows: nil)
            screen.end()
        }
        #expect(writes == ["one\ntwo\n\n", "three\n\n"])
    }
}
