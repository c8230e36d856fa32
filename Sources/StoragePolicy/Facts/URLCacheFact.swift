internal import ContainerTree
internal import DatabaseInspection
internal import Foundation
internal import PolicyTexts
internal import PropertyLists
internal import TextOutput

/// The credentials in a URL cache: one phrase for each kind, with lengths but no values, sorted.
///
/// Looks at 1,000 rows of each table, and there at requests' and responses' headers (property lists), at bodies that
/// are JSON, and at addresses, each up to 64 KiB.
enum URLCacheFact: Fact {
    static let name = "URL cache"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> [String] {
        // The tables' names are CFNetwork's. Source: firebase/firebase-ios-sdk#5594, and what forensic tools read.
        guard facts[DatabaseTablesFact.self].contains(where: { $0.name == "cfurl_cache_blob_data" }) else { return [] }
        var found: Set<String> = []
        var addresses: [WebAddress] = []
        let name = Array(facts.item.name)
        _ = facts.query { copy throws(DatabaseReadError) in
            try copy.values(blobTables: ["cfurl_cache_blob_data", "cfurl_cache_receiver_data"]) { value in
                switch value.content {
                case .text(let text) where value.column == "request_key":
                    found.formUnion(credentials(inAddress: text))
                    if let address = WebAddress(text) { addresses.append(address.contained(inFile: name)) }
                case .text(let text): found.formUnion(credentials(in: Array(text.utf8)))
                case .bytes(let bytes): found.formUnion(credentials(in: bytes))
                }
                return found.count < 20
            }
        }
        // They stand among nothing of other people's.
        if facts.run.model != nil { facts.run.addresses.add(AddressIndex.Found(addresses: addresses)) }
        return found.sorted()
    }

    private static func credentials(inAddress text: String) -> [String] {
        guard let items = URLComponents(string: text)?.queryItems else { return [] }
        return items.compactMap { item in
            field(item.name, item.value ?? "").map { "\($0) in a URL" }
        }
    }

    private static func credentials(in bytes: [UInt8]) -> [String] {
        switch bytes.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard let json = try? JSONSerialization.jsonObject(with: Data(bytes)) else { return [] }
            return credentials(inJSON: json)
        case UInt8(ascii: "b"), UInt8(ascii: "<"):
            guard let graph = try? PropertyListGraph(parsing: bytes, brokenText: .replaced) else { return [] }
            return credentials(in: graph.root)
        default: return []
        }
    }

    private static func credentials(in root: PropertyListValue) -> [String] {
        var found: [String] = []
        var pending = [(root, 0)]
        var visited = 0
        while let (value, depth) = pending.popLast(), visited < 20_000 {
            visited += 1
            guard depth < 32 else { continue }
            for (key, member) in value.pairs ?? [] {
                if case .string(let text) = member.node {
                    found += [header(key, value: text), field(key, text)].compactMap { $0 }
                }
                pending.append((member, depth + 1))
            }
            for member in value.members ?? [] { pending.append((member, depth + 1)) }
        }
        return found
    }

    private static func credentials(inJSON root: Any) -> [String] {
        var found: [String] = []
        var pending = [root]
        while let value = pending.popLast() {
            if let fields = value as? [String: Any] {
                for (key, member) in fields {
                    if let text = member as? String { found += [field(key, text)].compactMap { $0 } }
                    pending.append(member)
                }
            } else if let members = value as? [Any] {
                pending += members
            }
        }
        return found
    }

    /// Returns a phrase for a header with a credential. Keys of public interfaces (`X-Api-Key`) do not count.
    private static func header(_ name: String, value: String) -> String? {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            let parts = value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[1].utf8.count >= 8, schemes.contains(parts[0].lowercased()) else {
                return nil
            }
            return
                "the header \(name.capitalized) (\(parts[0].capitalized), \(Quantity.count(parts[1].utf8.count, "byte")))"
        case "cookie", "set-cookie":
            let isSession = value.split(separator: ";").contains { pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[1].utf8.count >= 16 else { return false }
                let name = parts[0].lowercased()
                return ["sess", "auth", "token", "jwt"].contains { name.contains($0) }
            }
            return isSession
                ? "the header \(name.capitalized) (a session, \(Quantity.count(value.utf8.count, "byte")))" : nil
        case "x-auth-token", "x-access-token", "x-session-token":
            return value.utf8.count >= 16
                ? "the header \(name.capitalized) (\(Quantity.count(value.utf8.count, "byte")))" : nil
        default: return nil
        }
    }

    /// A field of a form, an answer or an address that carries one.
    private static func field(_ name: String, _ value: String) -> String? {
        let plain = name.lowercased().filter { $0.isLetter }
        if ["password", "passwd"].contains(plain), !value.isEmpty {
            return "a password (\(Quantity.count(value.utf8.count, "byte")))"
        }
        guard fields.contains(plain), value.utf8.count >= 16 else { return nil }
        return "the field \(ByteText.escaped(Array(name.utf8))) (\(Quantity.count(value.utf8.count, "byte")))"
    }

    private static let schemes: Set<String> = ["bearer", "basic", "token", "digest", "negotiate", "hawk"]
    private static let fields: Set<String> = [
        "accesstoken", "refreshtoken", "idtoken", "sessiontoken", "authtoken", "clientsecret",
    ]
}
