/// What is decided of an item: why, and by whom.
struct PlanVerdict: Sendable, Hashable {
    let reason: PlanReason
    let decider: PlanDecider
}
