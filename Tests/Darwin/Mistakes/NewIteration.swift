// both: is only available in
import Foundation

func first(_ stream: AsyncStream<Int>) async -> Int? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next(isolation: nil)
}
