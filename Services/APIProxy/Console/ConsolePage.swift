/// The console page: the files in `Pages/Console`, and those that it shares with the page for readers.
enum ConsolePage {
    static let page = EmbeddedPage(
        folder: "Console", document: "console.html",
        sharing: [
            "Reader/api.js", "Reader/base.css", "Reader/chart.js", "Reader/columns.js", "Reader/dom.js",
            "Reader/live.js", "Reader/photo.js",
        ])
}
