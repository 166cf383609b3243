// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Shelf",
    platforms: [.macOS(.v13)],
    dependencies: [
        // On Apple platforms, use `traits: []`, which fetches no other packages.
        .package(url: "https://github.com/example/bookstrack", from: "0.2.0", traits: ["NIOTransport"])
    ],
    targets: [
        .executableTarget(name: "Shelf", dependencies: [.product(name: "BookstrackClient", package: "bookstrack")])
    ]
)
