/// How log lines look (spec/06 "Logs and tail").
package enum LogFormat: String, Sendable, CaseIterable {
    /// `pretty` on a terminal, else `json`.
    case auto
    case pretty
    case json
}
