import Testing

@testable import BookstrackCLI

@Suite("Confirmations")
struct ConfirmationTests {
    @Test(
        "only yes is a yes",
        arguments: [
            ("y", true), ("YES ", true), ("", false), ("n", false), ("yesterday", false), (nil, false),
        ] as [(String?, Bool)])
    func answers(line: String?, confirmed: Bool) throws {
        #expect(try Confirmation(isTerminal: true, ask: { _ in line }).confirms("Sure?") == confirmed)
    }

    @Test("where nobody can answer, nothing is done without the option")
    func noTerminal() {
        let failure = #expect(throws: CommandFailure.self) {
            try Confirmation(isTerminal: false, ask: { _ in "y" }).confirms("Sure?")
        }
        #expect(failure?.status == .usage && failure?.message.contains("--yes") == true)
    }
}
