import ArgumentParser

@main
struct ProviderEmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider-emulator",
        abstract:
            "Speaks the HTTP APIs of Open Library, Google Books, ISBNdb, Wikidata and hosts of covers from a catalogue of its own.",
        subcommands: [ServeCommand.self, ISBNListCommand.self],
        defaultSubcommand: ServeCommand.self)
}
