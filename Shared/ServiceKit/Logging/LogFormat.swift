/// How log lines look (command-line.md "tail").
package enum LogFormat: String, Sendable, CaseIterable {
    /// `pretty` on a terminal, `journal` where standard error leads into the system's journal, else `json`.
    case auto
    case pretty
    case json
    case journal
}
