// The declarations of UIKit, for iOS, that the advice of the rules uses.
public import Foundation

@MainActor open class UIView: NSObject {
    open func addSubview(_ view: UIView) { stub() }
}

@MainActor open class UIWindow: UIView {}

@MainActor open class UIScene: NSObject {}

private func stub() -> Never { fatalError() }
