// Settings of the AI engines, read by enrichment-worker.

/// An engine that reads photos.
package enum EngineName: String, CaseIterable, Sendable {
    /// Google's Gemini API.
    case gemini
    /// Any server with OpenAI's route for chat completions, such as Ollama, llama.cpp and vLLM.
    case openai
    /// The suite's own reader of spines and barcodes, which needs no network. Unlike the others, it is never asked about unknown columns.
    case reader
}

extension SettingKind where Value == [EngineName] {
    /// Names of engines separated by commas, in the order in which they are tried.
    package static var engines: Self {
        SettingKind(
            shape: .list,
            parse: { text throws(SettingProblem) in
                var engines: [EngineName] = []
                for entry in listEntries(text) {
                    guard let engine = EngineName(rawValue: entry.lowercased()), !engines.contains(engine) else {
                        throw SettingProblem(
                            "must list each engine at most once; the engines are "
                                + EngineName.allCases.map(\.rawValue).joined(separator: ", "))
                    }
                    engines.append(engine)
                }
                return engines
            },
            show: { $0.map(\.rawValue).joined(separator: ",") })
    }
}

extension SettingKey where Value == [EngineName] {
    package static var scanEngines: Self {
        SettingKey(
            "BOOKSTRACK_SCAN_ENGINES", .engines, default: EngineName.allCases,
            "Engines for photos and, except reader, for unknown columns, in the order in which they are tried; those that are not configured are skipped"
        )
    }
}

extension SettingKey where Value == Int {
    package static var scanDailyBudget: Self {
        SettingKey(
            "BOOKSTRACK_SCAN_DAILY_BUDGET", .integer(0...100_000_000, unit: "per day"), default: 200,
            "Maximum requests to engines that have a key, across all clients; 0 = no limit")
    }
}

extension SettingKey where Value == String {
    package static var geminiBaseURL: Self {
        SettingKey(
            "BOOKSTRACK_GEMINI_BASE_URL", .baseURL, default: "https://generativelanguage.googleapis.com/v1beta",
            "Base URL of the Gemini API")
    }

    package static var geminiModel: Self {
        SettingKey("BOOKSTRACK_GEMINI_MODEL", .text, default: "gemini-3.5-flash-lite", "Gemini model")
    }
}

extension SettingKey where Value == String? {
    package static var visionBaseURL: Self {
        SettingKey(
            "BOOKSTRACK_VISION_BASE_URL", .optionalBaseURL, default: nil,
            "Base URL of an OpenAI-compatible server, for example http://127.0.0.1:11434/v1")
    }

    package static var visionModel: Self {
        SettingKey(
            "BOOKSTRACK_VISION_MODEL", .optionalText, default: nil,
            "Model on the OpenAI-compatible server; required with BOOKSTRACK_VISION_BASE_URL")
    }

    package static var shelfReaderSocket: Self {
        SettingKey(
            "BOOKSTRACK_SHELF_READER_SOCKET", .optionalText, default: nil,
            note: "shelf-reader.sock in the runtime directory", "Socket of the shelf reader, which reads photos offline"
        )
    }
}

extension SettingKey where Value == Secret? {
    package static var geminiKey: Self {
        SettingKey("BOOKSTRACK_GEMINI_API_KEY", .secret, default: nil, "Gemini API key")
    }

    package static var visionKey: Self {
        SettingKey("BOOKSTRACK_VISION_API_KEY", .secret, default: nil, "API key for the OpenAI-compatible server")
    }
}

extension SettingCatalog {
    static let engines: [SettingDeclaration] = [
        SettingKey.scanEngines.declaration, SettingKey.scanDailyBudget.declaration,
        SettingKey.geminiBaseURL.declaration, SettingKey.geminiKey.declaration, SettingKey.geminiModel.declaration,
        SettingKey.visionBaseURL.declaration, SettingKey.visionModel.declaration, SettingKey.visionKey.declaration,
        SettingKey.shelfReaderSocket.declaration,
    ]
}
