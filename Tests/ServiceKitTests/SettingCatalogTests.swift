import Foundation
import Testing

@testable import ServiceKit

@Suite("The settings catalog and the help text")
struct SettingCatalogTests {
    @Test("every declared variable is in the catalog exactly once")
    func complete() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Shared/ServiceKit/Settings/Keys").standardized
        let declaration = try Regex(#"\s"(BOOKSTRACK_[A-Z_]+)",|\("(BOOKSTRACK_[A-Z_]+)","#)
        var declared: [String] = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let text = try String(contentsOf: file, encoding: .utf8)
            declared += text.matches(of: declaration).compactMap {
                ($0[1].substring ?? $0[2].substring).map(String.init)
            }
        }
        #expect(declared.count > 40)
        #expect(declared.sorted() == SettingCatalog.all.map(\.name).sorted())
    }

    @Test("every setting's default is a valid value of the setting")
    func defaultsAreValid() throws {
        for setting in SettingCatalog.all where !setting.fallback.isEmpty && !setting.fallback.contains(" ") {
            let parsed = try setting.parse(setting.fallback)
            #expect(parsed.shown == setting.fallback, "\(setting.name)")
        }
    }

    @Test("the help text lists every option and variable with its default")
    func help() throws {
        let settings = try Settings.load(arguments: [], environment: [:])
        let text = SettingsHelp(program: "api-proxy", abstract: "Serves HTTP.", settings: .success(settings)).text
        for setting in SettingCatalog.all {
            #expect(text.contains("--\(setting.option)  (\(setting.name))"))
        }
        #expect(text.contains("Default: 8787"))
        #expect(text.contains("Default: 5000 ms"))
        #expect(text.contains("75 stopping took too long"))
    }

    @Test("the help text shows each effective value and its source, with secrets masked")
    func effectiveHelp() throws {
        let settings = try Settings.load(
            arguments: ["--ready-timeout-ms", "7"],
            environment: ["BOOKSTRACK_HTTP_PORT": "9000", "BOOKSTRACK_ISBNDB_API_KEY": "hunter2"])
        let text = SettingsHelp(program: "api-proxy", abstract: "Serves HTTP.", settings: .success(settings)).text
        #expect(text.contains("Port of the public HTTP listener. Default: 8787\n      Now: 9000 (environment)\n"))
        #expect(text.contains("Default: 5000 ms\n      Now: 7 ms (command line)\n"))
        #expect(text.contains("Default: 30000 ms\n      Now: 30000 ms (default)\n"))
        #expect(text.contains("ISBNdb API key. Default: none\n      Now: ******** (environment)\n"))
        #expect(text.contains("Google Books API key. Default: none\n      Now: none (default)\n"))
        #expect(!text.contains("hunter2"))
    }

    @Test("the help text explains the settings even if they cannot be loaded, and states why")
    func helpDespiteError() {
        let help = SettingsHelp(
            program: "api-proxy", abstract: "Serves HTTP.", settings: .failure(.missingValue("--log-level")))
        #expect(help.text.contains("no values are shown: option --log-level needs a value"))
        #expect(help.text.contains("Default: 8787"))
        #expect(!help.text.contains("Now: "))
    }
}
