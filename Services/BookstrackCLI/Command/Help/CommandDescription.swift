import ArgumentParser
import Foundation

/// A command as swift-argument-parser describes it for other programs (`--experimental-dump-help`, its `ToolInfoV0`): the source of help
/// texts and of the man page, so that neither can differ from what is parsed.
struct CommandDescription: Decodable {
    struct Argument: Decodable {
        enum Kind: String, Decodable { case positional, option, flag }

        struct Name: Decodable {
            let kind: String
            let name: String

            var text: String { (kind == "long" ? "--" : "-") + name }
        }

        let kind: Kind
        let shouldDisplay: Bool
        let sectionTitle: String?
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        let abstract: String?
    }

    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool
    let superCommands: [String]?
    let subcommands: [CommandDescription]?
    let arguments: [Argument]?

    /// The whole command line.
    static func suite() throws -> CommandDescription {
        try JSONDecoder().decode(Tool.self, from: Data(BookstrackCommand._dumpHelp().utf8)).command
    }

    private struct Tool: Decodable { let command: CommandDescription }

    /// The names that lead to it, without the program's: "search title".
    var path: String {
        (Array((superCommands ?? []).dropFirst()) + (superCommands == nil ? [] : [commandName])).joined(separator: " ")
    }

    /// What is typed to run it: "bookstrack search title".
    var invocation: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

    /// The commands below it that a user should know of.
    var verbs: [CommandDescription] { (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" } }

    /// The arguments that a user should know of, the positional ones first.
    var shown: [Argument] {
        let shown = (arguments ?? []).filter(\.shouldDisplay)
        return shown.filter { $0.kind == .positional } + shown.filter { $0.kind != .positional }
    }

    /// It and all commands below it.
    var all: [CommandDescription] { [self] + verbs.flatMap(\.all) }

    /// The parts of the usage line, each of which stays on one line.
    var usage: [String] {
        [invocation] + (verbs.isEmpty ? [] : ["<command>"]) + shown.filter { !$0.isUniversal }.map(\.usage)
    }
}

extension CommandDescription.Argument {
    /// Whether every command has it.
    var isUniversal: Bool { kind == .flag && ["version", "help"].contains(valueName) }

    /// As a list of arguments names it: "-y, --yes", "--limit <count>", "<isbn>...".
    var label: String {
        guard kind != .positional else { return "<\(valueName ?? "")>" + (isRepeating ? "..." : "") }
        let names = (names ?? []).sorted { $0.text.count < $1.text.count }.map(\.text).joined(separator: ", ")
        return kind == .flag ? names : names + " <\(valueName ?? "value")>"
    }

    /// As the usage line names it: in brackets when it may be missing.
    var usage: String {
        let long = names?.last { $0.kind == "long" } ?? names?.first
        let text =
            switch kind {
            case .positional: label
            case .flag: long?.text ?? ""
            case .option: (long?.text ?? "") + " <\(valueName ?? "value")>" + (isRepeating ? "..." : "")
            }
        return isOptional ? "[\(text)]" : text
    }

    /// What it is for, with its values and its default where the text does not name them.
    var explanation: String {
        let text = abstract ?? ""
        let values = allValues ?? []
        var remarks: [String] = []
        if !values.allSatisfy({ text.contains($0) }) { remarks.append("values: " + values.joined(separator: ", ")) }
        if let defaultValue, !text.contains("default") { remarks.append("default: \(defaultValue)") }
        return text + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))")
    }
}
