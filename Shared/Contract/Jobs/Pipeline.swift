/// The kind of a job (websocket.md "Frames").
public enum Pipeline: String, Codable, Sendable, CaseIterable {
    case batchEnrichment = "batch_enrichment"
    case csvImport = "csv_import"
    case aiScan = "ai_scan"
}
