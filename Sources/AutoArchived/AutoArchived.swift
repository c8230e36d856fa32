public import ContainerArchives
public import Foundation

/// Writes the archiving of a class: `encode(with:)`, `init(coder:)` and the conformance to `AutoArchivable`, and with
/// it to `NSSecureCoding`.
///
/// Each stored property is archived under its name. `@NotArchived` leaves a property out, `@Archived(key:formerly:)`
/// gives it another key and lists older ones.
///
///     @AutoArchived(name: "Trainee")
///     final class Trainee: NSObject {
///         let name: String
///         var grades: [Int] = []
///         weak var course: Course?
///         init(name: String) { self.name = name }
///     }
///
/// The class inherits from `NSObject`, directly or through other classes with `@AutoArchived`. Properties are of types
/// that conform to `ArchivableValue`. A property that cannot be archived is an error at compile time.
///
/// - A key that the archive lacks leaves the initial value of the property, or nil. A property without either is
///   required: the read fails with `wrongType`.
/// - A variable that is optional or has an initial value is set after the objects it refers to have been created, so
///   such references may form cycles and chains of any length. A weak variable refers to an object that is only
///   archived if another object refers to it.
/// - A class that declares `encodeExtra(with:)` and `decodeExtra(with:)` archives more than its properties. They are
///   called after the properties, before references to other objects are set.
/// - A class with a `version` that declares `migrate(from:with:)` gets the archives of older versions, after all
///   objects are complete. An archive of a newer version is an error, and its file is unchanged.
///
/// - Parameters:
///   - name: The name of the class in archives. Without it, the name is `Module.Class`, and archives cannot be read
///     after the class or the module is renamed.
///   - version: The version of the class's format, from 0. It is stored if it is not 0.
@attached(
    member, conformances: AutoArchivable,
    names: named(init(coder:)), named(encode(with:)), named(supportsSecureCoding), named(archiveName),
    named(_archivedFields))
@attached(extension, conformances: AutoArchivable)
public macro AutoArchived(name: String? = nil, version: Int = 0) =
    #externalMacro(module: "AutoArchivedMacros", type: "AutoArchivedMacro")

/// States the key of a property in archives of a class with `@AutoArchived`.
///
///     @Archived(key: "title", formerly: "name") var heading: String
///
/// - Parameters:
///   - key: The key. Without it, the name of the property.
///   - formerly: Keys of older archives, which are read if the key is missing. The first one that exists is used.
@attached(peer)
public macro Archived(key: String? = nil, formerly: String...) =
    #externalMacro(module: "AutoArchivedMacros", type: "ArchivedMacro")

/// Leaves a property out of the archives of a class with `@AutoArchived`. It has an initial value or is an optional
/// variable.
@attached(peer)
public macro NotArchived() = #externalMacro(module: "AutoArchivedMacros", type: "NotArchivedMacro")

/// A class whose archiving `@AutoArchived` writes.
///
/// `Container.archive` and `Container.unarchive` call the methods of `NSSecureCoding` with coders of this library on
/// Linux, and with `NSKeyedArchiver` and `NSKeyedUnarchiver` on Apple's systems. The class also works with coders of
/// Foundation that the app creates.
public protocol AutoArchivable: NSSecureCoding, ArchivableValue, _ArchiveDescribed {}
