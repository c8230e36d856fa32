// both: is only available in
import Observation

func track(_ body: () -> Void) { withObservationTracking(body) {} }
