import ArgumentParser

/// A time span of an argument: `36h`, `14d`, `8w`, or several such as `1w3d`.
struct TimeSpan: ExpressibleByArgument {
    let seconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["h": 3_600, "d": 86_400, "w": 7 * 86_400]
        var (total, digits): (Int64, String) = (0, "")
        for character in argument {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                guard let unit = units[character], let count = Int64(digits), count < 1_000_000 else { return nil }
                total += count * unit
                digits = ""
            }
        }
        guard digits.isEmpty, total > 0 else { return nil }
        seconds = total
    }
}
