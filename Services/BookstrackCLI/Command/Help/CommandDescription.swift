import ArgumentParser
import Foundation

/// A command as described by swift-argument-parser for other programs (`--experimental-dump-help`, its `ToolInfoV0`). The arguments in help texts and
/// in the man page are taken from it, so they match the parser.
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

    /// The description of `bookstrack` with all its commands.
    static func suite() throws -> CommandDescription {
        try JSONDecoder().decode(Tool.self, from: Data(BookstrackCommand._dumpHelp().utf8)).command
    }

    private struct Tool: Decodable { let command: CommandDescription }

    /// The command's path below the program: "search title".
    var path: String {
        (Array((superCommands ?? []).dropFirst()) + (superCommands == nil ? [] : [commandName])).joined(separator: " ")
    }

    /// The command as typed: "bookstrack search title".
    var invocation: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

    /// The command's visible subcommands.
    var verbs: [CommandDescription] { (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" } }

    /// The command's visible arguments, positional ones first.
    var shown: [Argument] {
        let shown = (arguments ?? []).filter(\.shouldDisplay)
        return shown.filter { $0.kind == .positional } + shown.filter { $0.kind != .positional }
    }

    /// The command and its visible descendants.
    var all: [CommandDescription] { [self] + verbs.flatMap(\.all) }

    /// The parts of the usage line; each stays on one line.
    var usage: [String] {
        [invocation] + (verbs.isEmpty ? [] : ["<command>"]) + shown.filter { !$0.isUniversal }.map(\.usage)
    }
}

extension CommandDescription.Argument {
    /// Whether every command has this argument.
    var isUniversal: Bool { kind == .flag && ["version", "help"].contains(valueName) }

    /// The argument's label in a list of arguments: "-y, --yes", "--limit <count>", "<isbn>...".
    var label: String {
        guard kind != .positional else { return "<\(valueName ?? "")>" + (isRepeating ? "..." : "") }
        let names = (names ?? []).sorted { $0.text.count < $1.text.count }.map(\.text).joined(separator: ", ")
        return kind == .flag ? names : names + " <\(valueName ?? "value")>"
    }

    /// The argument's label in the usage line: in brackets if optional.
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

    /// The argument's description, followed by its values and its default unless the description mentions them.
    var explanation: String {
        let text = abstract ?? ""
        let values = allValues ?? []
        var remarks: [String] = []
        if !values.allSatisfy({ text.contains($0) }) { remarks.append("values: " + values.joined(separator: ", ")) }
        if let defaultValue, !text.contains("default") { remarks.append("default: \(defaultValue)") }
        return text + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))")
    }
}
