// both: value of type 'stat' has no member 'st_mtim'
import Foundation

func modified(_ status: stat) -> Int { status.st_mtim.tv_sec }
