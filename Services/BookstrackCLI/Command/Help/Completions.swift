import ArgumentParser
import BookstrackContract
import Foundation
import ServiceKit

/// `bookstrack completions bash|zsh|fish`
struct CompletionsCommand: ParsableCommand {
    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash
        case zsh
        case fish
    }

    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print a completion script for bash, zsh or fish.",
        discussion: """
            The packages and the script deploy/install set up completion for all users; it takes effect in new shells.
            """)

    @Argument(help: "The shell to generate completions for.")
    var shell: Shell

    func run() throws {
        let kind: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        StandardStreams.writeOutput(BookstrackCommand.completionScript(for: kind) + "\n")
    }
}

/// `bookstrack manual`: the man page, for the scripts that install or pack the program.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the man page.", shouldDisplay: false)

    func run() throws {
        let page = ManualPage(suite: try CommandDescription.suite(), version: SuiteVersion.text)
        StandardStreams.writeOutput(page.text)
    }
}

/// Completes job identifiers with those of the jobs started from this account, latest first. They are read from the
/// token file, so completion calls no service.
enum JobCompletion {
    static let kind = CompletionKind.custom { _, _, _ in
        ((try? SavedTokens.standard.entries()) ?? []).reversed().map(\.jobId.text)
    }
}
