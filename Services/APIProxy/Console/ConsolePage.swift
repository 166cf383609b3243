/// The files of the console's page, which are those in `Description/Console` and what it shares with the page for readers.
enum ConsolePage {
    static let page = EmbeddedPage(document: PackageResources.console_html, files: files)

    /// Style and scripts by name.
    static let files: [String: [UInt8]] = [
        "actions.js": PackageResources.actions_js, "api.js": PackageResources.api_js,
        "audit.js": PackageResources.audit_js, "base.css": PackageResources.base_css,
        "console.css": PackageResources.console_css, "console.js": PackageResources.console_js,
        "doctor.js": PackageResources.doctor_js, "dom.js": PackageResources.dom_js,
        "failures.js": PackageResources.failures_js, "graph.js": PackageResources.graph_js,
        "joblist.js": PackageResources.joblist_js, "jobpage.js": PackageResources.jobpage_js,
        "overview.js": PackageResources.overview_js, "parts.js": PackageResources.parts_js,
        "providers.js": PackageResources.providers_js, "session.js": PackageResources.session_js,
        "settings.js": PackageResources.settings_js, "tail.js": PackageResources.tail_js,
    ]
}
