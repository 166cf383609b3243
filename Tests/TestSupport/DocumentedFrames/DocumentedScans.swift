/// Members of a scan's responses and frames that the contract documents (scans.md "Results" and "Frames").
package enum DocumentedScans {
    /// The `payload` of a single scan's `job_complete`.
    package struct Complete: Decodable {
        package struct Metadata: Decodable {
            package let modelUsed: String
            package let processingTime: Int
        }

        package let type: String
        package let totalDetected: Int
        package let approved: Int
        package let needsReview: Int
        package let resultsUrl: String
        package let metadata: Metadata
    }

    /// The response of the results route.
    package struct Results: Decodable {
        package struct Content: Decodable {
            package let totalDetected: Int
            package let approved: Int
            package let needsReview: Int
            package let books: [Book]
            package let metadata: Metadata
        }

        package struct Metadata: Decodable {
            package let modelUsed: String
            package let processingTime: Int
            package let timestamp: String
        }

        package struct Envelope: Decodable {
            package let timestamp: String
            package let processingTime: Int
            package let cached: Bool
            package let provider: String
        }

        package let data: Content
        package let metadata: Envelope
    }

    /// A book in the results and in `batch-complete`.
    package struct Book: Decodable {
        package struct Box: Decodable {
            package let x: Double
            package let y: Double
            package let width: Double
            package let height: Double
        }

        package struct Enrichment: Decodable {
            package let status: String
            package let work: ShippedApps.Book.Work
            package let editions: [ShippedApps.Book.Edition]
            package let authors: [ShippedApps.Book.Author]
        }

        package let title: String
        package let author: String
        package let isbn: String?
        package let confidence: Double
        package let boundingBox: Box
        package let enrichmentStatus: String
        package let enrichment: Enrichment?
    }

    /// The response for a scan with no results.
    package struct NotFound: Decodable {
        package struct Failure: Decodable {
            package struct Details: Decodable { package let jobId: String }

            package let message: String
            package let code: String
            package let details: Details
        }

        package let error: Failure
    }

    /// A frame that only batches have; its content is in `data`.
    package struct BatchFrame: Decodable {
        package let type: String
        package let jobId: String
        package let timestamp: Int64
        package let data: BatchContent
    }

    package enum BatchContent: Decodable {
        case initialized(totalPhotos: Int, status: String)
        case progress(Progress)
        case complete(Complete)
        case canceling

        package struct Progress: Decodable {
            package struct Photo: Decodable {
                package let index: Int
                package let status: String
                package let booksFound: Int
                package let error: String?
            }

            package let currentPhoto: Int
            package let totalPhotos: Int
            package let photoStatus: String
            package let booksFound: Int
            package let totalBooksFound: Int
            package let photos: [Photo]
        }

        package struct Complete: Decodable {
            package struct Photo: Decodable {
                package let photoIndex: Int
                package let booksFound: Int
                package let status: String
            }

            package let totalBooks: Int
            package let photoResults: [Photo]
            package let books: [Book]
        }

        private enum CodingKeys: String, CodingKey { case type, totalPhotos, status }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let type = try container.decode(String.self, forKey: .type)
            self =
                switch type {
                case "batch-init":
                    .initialized(
                        totalPhotos: try container.decode(Int.self, forKey: .totalPhotos),
                        status: try container.decode(String.self, forKey: .status))
                case "batch-progress": .progress(try Progress(from: decoder))
                case "batch-complete": .complete(try Complete(from: decoder))
                case "batch-canceling": .canceling
                default:
                    throw DecodingError.dataCorruptedError(
                        forKey: .type, in: container, debugDescription: "\(type) is not a batch frame")
                }
        }
    }
}
