import ArgumentParser
import Foundation
import ServiceKit
import SuiteMethods

/// `bookstrack config [--OPTION VALUE]…`
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the effective settings and where each one comes from.",
        discussion: """
            Queries the running services. For a service that is not running, reads /etc/bookstrack/bookstrack.env or, if that file is missing or \
            unusable, this command's environment. Values that take effect only after a restart are marked. With service \
            options, shows the settings that result from this environment and these options. Secrets are only shown as set or not set.
            """)

    @OptionGroup var output: OutputOptions

    @Argument(parsing: .captureForPassthrough, help: "Service options, for example --http-port 9000.")
    var options: [String] = []

    func run() async throws {
        // The parser does not handle arguments after the first service option.
        if options.contains("--help") || options.contains("-h") { throw CleanExit.helpRequest(self) }
        if options.contains("--version") { throw CleanExit.message(SuiteVersion.text) }
        let (options, output) = try separated()
        try await runVerb {
            if options.isEmpty {
                let command = try CommandSettings.load()
                try SettingsReport(survey: await SettingsSurvey.take(command)).show(output)
                Self.warn(command.own.warnings)
            } else {
                let settings = try Settings.load(arguments: options)
                try SettingsReport(previewing: settings).show(output)
                Self.warn(settings.warnings)
            }
            return .success
        }
    }

    private static func warn(_ warnings: [String]) {
        for warning in warnings { StandardStreams.writeMessage("bookstrack: \(warning)") }
    }

    /// The service options, and the output options given before or among them.
    private func separated() throws -> (options: [String], output: OutputOptions) {
        var (rest, own) = ([String](), [String]())
        var takesValue = false
        for option in options {
            if takesValue || option == "--json" || option == "--no-pager" || option.hasPrefix("--format=") {
                own.append(option)
                takesValue = false
            } else if option == "--format" {
                own.append(option)
                takesValue = true
            } else {
                rest.append(option)
            }
        }
        return (rest, try output.adding(own))
    }
}
