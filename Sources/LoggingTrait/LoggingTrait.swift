// The targets that need the packages of this trait depend on this target, which fails to compile before any of them.
#if !Logging
#error(
    "enable the trait Logging: swift build --traits Tools; or, in another package, .package(…, traits: [\"Logging\"])"
)
#endif
