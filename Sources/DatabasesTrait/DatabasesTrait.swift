// The targets that need the packages of this trait depend on this target, which fails to compile before any of them.
#if !Databases
#error(
    "enable the trait Databases: swift build --traits Tools; or, in another package, .package(…, traits: [\"Databases\"])"
)
#endif
