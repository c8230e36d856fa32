// On Apple's systems, swift-crypto is CryptoKit.
@_exported import CryptoKit
