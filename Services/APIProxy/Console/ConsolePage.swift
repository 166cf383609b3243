/// The files of the console page: those in `Pages/Console`, and those that it shares with the page for readers.
enum ConsolePage {
    static let page = EmbeddedPage(document: PackageResources.console_html, files: files)

    /// Style sheets and scripts by name.
    static let files: [String: [UInt8]] = [
        "actions.js": PackageResources.actions_js, "analytics.js": PackageResources.analytics_js,
        "api.js": PackageResources.api_js, "audit.js": PackageResources.audit_js,
        "base.css": PackageResources.base_css, "chart.js": PackageResources.chart_js,
        "clock.js": PackageResources.clock_js, "columns.js": PackageResources.columns_js,
        "console.css": PackageResources.console_css, "console.js": PackageResources.console_js,
        "doctor.js": PackageResources.doctor_js, "dom.js": PackageResources.dom_js,
        "failures.js": PackageResources.failures_js, "follow.js": PackageResources.follow_js,
        "graph.js": PackageResources.graph_js, "items.js": PackageResources.items_js,
        "joblist.js": PackageResources.joblist_js, "jobpage.js": PackageResources.jobpage_js,
        "live.js": PackageResources.live_js, "overview.js": PackageResources.overview_js,
        "pages.js": PackageResources.pages_js, "parts.js": PackageResources.parts_js,
        "photo.js": PackageResources.photo_js, "photos.js": PackageResources.photos_js,
        "providers.js": PackageResources.providers_js, "quality.js": PackageResources.quality_js,
        "session.js": PackageResources.session_js, "settings.js": PackageResources.settings_js,
        "tail.js": PackageResources.tail_js, "timeline.js": PackageResources.timeline_js,
    ]
}
