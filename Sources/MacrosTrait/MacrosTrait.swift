// The targets that need the packages of this trait depend on this target, which fails to compile before any of them.
#if !Macros
#error("enable the trait Macros: swift build --traits Tools; or, in another package, .package(…, traits: [\"Macros\"])")
#endif
