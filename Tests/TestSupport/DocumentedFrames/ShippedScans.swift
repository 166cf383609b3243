/// The structures with which three shipped generations of the app decode a scan; members required there are required here.
package enum ShippedScans {
    /// The response to the upload of one photo: the second generation reads `token`, the third `authToken`.
    package struct Started: Decodable {
        private struct Stage: Decodable {
            let name: String
            let typicalDuration: Int
            let progress: Double
        }

        package let jobId: String
        package let token: String
        package let authToken: String
        private let stages: [Stage]
        private let estimatedRange: [Int]
    }

    /// The end of a scan as the first generation reads it, including the books themselves.
    package struct First: Decodable {
        package struct Content: Decodable {
            package let currentStatus: String
            package let result: Result?
        }

        package struct Result: Decodable {
            package let totalDetected: Int
            package let approved: Int
            package let needsReview: Int
            package let books: [Book]
        }

        package struct Book: Decodable {
            package struct Enrichment: Decodable { package let apiData: Facts }

            package struct Facts: Decodable {
                package let title: String
                package let authors: [String]
                let isbn: String?
                let coverUrl: String?
                let publisher: String?
                let publicationYear: String?
            }

            package let title: String
            package let enrichment: Enrichment?
        }

        package let type: String
        package let data: Content
    }

    /// `job_complete` as the second generation reads it.
    package struct Second: Decodable {
        private enum CodingKeys: String, CodingKey {
            case pipeline, approved
            case totalDetected = "total_detected"
            case needsReview = "needs_review"
            case resultsUrl = "results_url"
        }

        let pipeline: String
        package let totalDetected: Int
        package let approved: Int
        package let needsReview: Int
        package let resultsUrl: String
    }

    /// The results as the second and third generations read them.
    package struct Results: Decodable {
        package struct Book: Decodable {
            package struct Box: Decodable {
                let x1: Double
                let y1: Double
                let x2: Double
                let y2: Double
            }

            package struct Enrichment: Decodable {
                package let status: String
                package let work: ShippedApps.Book.Work
                package let editions: [ShippedApps.Book.Edition]
                package let authors: [ShippedApps.Book.Author]
            }

            package let title: String
            package let author: String
            package let confidence: Double
            package let boundingBox: Box
            let isbn: String?
            let format: String?
            package let enrichment: Enrichment?
        }

        package struct Metadata: Decodable {
            let processingTime: Int
            package let enrichedCount: Int
            let timestamp: String
            let modelUsed: String
        }

        package let totalDetected: Int
        package let approved: Int
        package let needsReview: Int
        package let books: [Book]
        package let metadata: Metadata
        let expiresAt: String
    }

    /// A frame of a photo batch. Each generation reads its content in a different place: at the top level, in `data` or in `payload`.
    package struct BatchFrame: Decodable {
        private struct Places: Decodable {
            let data: Batch?
            let payload: Batch
        }

        /// The content that each generation reads.
        package let content: Batch

        package init(from decoder: any Decoder) throws {
            content = try Batch(from: decoder)
            let places = try Places(from: decoder)
            // Frames of other types, which all jobs share, have their content only in `payload`.
            if case .other = content { return }
            guard places.data == content, places.payload == content else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "the copies of the content differ"))
            }
        }
    }

    /// The content of a photo batch frame.
    package enum Batch: Decodable, Equatable {
        case initialized(photos: Int)
        case progress(found: Int)
        case complete(books: Int)
        case other(String)

        private enum CodingKeys: String, CodingKey { case type }

        private struct Photo: Decodable {
            let index: Int
            let status: String
        }

        private struct Initialized: Decodable {
            let totalPhotos: Int
            let status: String
        }

        private struct Progress: Decodable {
            let currentPhoto: Int
            let totalPhotos: Int
            let photoStatus: String
            let booksFound: Int
            let totalBooksFound: Int
            let photos: [Photo]
        }

        private struct Complete: Decodable {
            struct Book: Decodable {
                let title: String
                let confidence: Double
            }

            let totalBooks: Int
            let photoResults: [Photo]
            let books: [Book]
        }

        package init(from decoder: any Decoder) throws {
            let type = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type)
            self =
                switch type {
                case "batch-init": .initialized(photos: try Initialized(from: decoder).totalPhotos)
                case "batch-progress": .progress(found: try Progress(from: decoder).totalBooksFound)
                case "batch-complete": .complete(books: try Complete(from: decoder).books.count)
                default: .other(type)
                }
        }
    }
}
