// both: runtime support for typed throws function types is only available in
struct Failure: Error {}

func parsers(_ parser: @escaping (String) throws(Failure) -> Void) -> [Any] { [parser] }
