import Foundation
import Testing

@testable import ServiceKit

@Suite("The catalogue of settings")
struct SettingCatalogueTests {
    @Test("every declared variable is in the catalogue exactly once")
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
        #expect(declared.sorted() == SettingCatalogue.all.map(\.name).sorted())
    }

    @Test("every default passes its own check")
    func defaultsAreValid() throws {
        for setting in SettingCatalogue.all where !setting.fallback.isEmpty && !setting.fallback.contains(" ") {
            let shown = try setting.check(setting.fallback)
            #expect(shown == setting.fallback, "\(setting.name)")
        }
    }

    @Test("help names every option and variable with its default")
    func help() {
        let text = SettingsHelp.text(program: "api-proxy", abstract: "Serves HTTP.")
        for setting in SettingCatalogue.all {
            #expect(text.contains("--\(setting.option)  (\(setting.name))"))
        }
        #expect(text.contains("Default: 8787"))
        #expect(text.contains("Default: 5000 ms"))
        #expect(text.contains("75 stopping took too long"))
    }
}
