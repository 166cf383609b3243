/// Every operation of the public listener; a test compares it with the routes.
enum OperationCatalogue {
    static let all =
        SearchOperations.all + CoverOperations.all + LegacySearchOperations.all + BatchOperations.all
        + JobOperations.all + SocketOperations.all + ServiceOperations.health
        + ServiceOperations.descriptions
}
