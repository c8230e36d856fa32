// both: cannot find 'statx' in scope
import Foundation

func size(of descriptor: Int32) -> Int32 { statx(descriptor, "", 0, 0, nil) }
