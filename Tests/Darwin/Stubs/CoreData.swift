// The declarations of Core Data that the advice of the rules uses.
public import Foundation

open class NSManagedObject: NSObject {}

open class NSManagedObjectContext: NSObject {
    open func delete(_ object: NSManagedObject) { stub() }
    open func save() throws { stub() }
}

open class NSPersistentStoreCoordinator: NSObject {
    @available(macOS 12.0, iOS 15.0, *)
    public final func replacePersistentStore(
        at target: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom source: URL,
        sourceOptions: [AnyHashable: Any]? = nil, type: NSPersistentStore.StoreType
    ) throws { stub() }
    @available(macOS 12.0, iOS 15.0, *)
    public final func destroyPersistentStore(
        at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws { stub() }
}

open class NSPersistentStore: NSObject {
    @available(macOS 12.0, iOS 15.0, *)
    public struct StoreType: Sendable {
        public static let sqlite = StoreType()
    }
}

private func stub() -> Never { fatalError() }
