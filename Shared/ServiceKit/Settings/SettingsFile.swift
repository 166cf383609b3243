import Configuration
import Foundation

/// The optional JSON file of settings: one flat object whose keys are the options without the leading dashes.
struct SettingsFile {
    static let defaultPath = "/etc/bookstrack/config.json"

    let path: String
    let snapshot: JSONSnapshot
    /// Keys that no setting has.
    let unknownKeys: [String]

    /// Reads the file. A missing file is nil unless it was asked for by name; anything else that is wrong throws.
    static func read(asked: String?) throws(SettingsError) -> SettingsFile? {
        let path = asked ?? defaultPath
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch CocoaError.fileReadNoSuchFile where asked == nil {
            return nil
        } catch {
            throw .unreadableFile(path: path, reason: reasonText(error))
        }
        do {
            let keys = try JSONDecoder().decode(TopLevelKeys.self, from: bytes).names
            let snapshot = try JSONSnapshot(
                data: Array(bytes).span.bytes, providerName: path, parsingOptions: .default)
            return SettingsFile(
                path: path, snapshot: snapshot,
                unknownKeys: keys.filter { !SettingCatalogue.knownOptions.contains($0) }.sorted())
        } catch {
            throw .malformedFile(path: path, reason: reasonText(error))
        }
    }

    /// The text of a key, which may be written as its shape says or as a string. A value of another type throws.
    func find(_ key: AbsoluteConfigKey, _ shape: SettingShape) throws(SettingsError) -> SettingLayers.Finding? {
        let type: ConfigType =
            switch shape {
            case .text: .string
            case .integer: .int
            case .number: .double
            case .truth: .bool
            case .list: .stringArray
            }
        do {
            let result =
                try (try? snapshot.value(forKey: key, type: type)) ?? snapshot.value(forKey: key, type: .string)
            return SettingLayers.text(result).map { .init(text: $0, source: .file(path)) }
        } catch {
            throw .malformedFile(path: path, reason: "\"\(key)\" has a value of the wrong type")
        }
    }

    private static func reasonText(_ error: any Error) -> String {
        switch error {
        case let error as CocoaError where error.code == .fileReadNoSuchFile: "no such file"
        case let error as CocoaError where error.code == .fileReadNoPermission: "permission denied"
        case DecodingError.typeMismatch: "it must be one JSON object"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty: context.debugDescription
        case is DecodingError: "it is not valid JSON"
        default: String(describing: error)
        }
    }

    private struct TopLevelKeys: Decodable {
        var names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            for key in container.allKeys
            where (try? container.nestedContainer(keyedBy: AnyKey.self, forKey: key)) != nil {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "\"\(key.stringValue)\" is an object")
            }
            names = container.allKeys.map(\.stringValue)
        }
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
