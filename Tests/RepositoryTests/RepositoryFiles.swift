import Foundation

/// The repository's files in the checkout.
enum RepositoryFiles {
    static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// Every Markdown document.
    static func documents() -> [URL] { files("md") }

    /// Every Swift source file.
    static func sources() -> [URL] { files("swift") }

    /// Files with this extension, except those of the build and of other tools.
    private static func files(_ kind: String) -> [URL] {
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        var found: [URL] = []
        while let file = files?.nextObject() as? URL {
            if [".build", ".git", ".hypothesis", ".schemathesis", "node_modules"].contains(file.lastPathComponent) {
                files?.skipDescendants()
            } else if file.pathExtension == kind {
                found.append(file)
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    static func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.standardizedFileURL.path) }

    static func name(_ file: URL) -> String { String(file.standardizedFileURL.path.dropFirst(root.path.count)) }
}
