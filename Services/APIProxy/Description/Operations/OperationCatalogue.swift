/// Every operation of the public listener; a test compares it with the routes.
enum OperationCatalogue {
    static let all =
        BatchOperations.all + SocketOperations.all + JobOperations.all + SearchOperations.all
        + ServiceOperations.health + ServiceOperations.descriptions + CoverOperations.all
        + LegacySearchOperations.all
}
