// The targets that need the packages of this trait depend on this target, which fails to compile before any of them.
#if !Tools
#error("enable the trait Tools: swift build --traits Tools; or, in another package, .package(…, traits: [\"Tools\"])")
#endif
