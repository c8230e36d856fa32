// Written by scripts/learn-places.

extension CodeModel {
    /// The weights of the evidence on a file in comparison with others.
    static let placeWeights: [Feature: Double] = [
        .name: 0.670,
        .best: 1.100,
        .exactName: 0.320,
        .nearNames: 0.590,
        .leaf: 0.490,
        .leadsExact: 0.300,
        .isNameArgument: 0.350,
        .isCompared: -0.630,
        .isKnown: 1.940,
        .isComputed: 0.800,
        .writes: 0.280,
        .buildsPath: 1.290,
        .reads: 0.190,
        .database: 0.480,
        .resource: -0.660,
        .agrees: 0.820,
        .disagrees: 0.270,
        .fileAgrees: 0.710,
        .isConstant: 0.290,
        .isLocalUse: 0.630,
        .isUse: -0.270,
        .isFunctionUse: -0.630,
        .fateReads: -0.320,
        .fateUpkeep: -0.230,
        .inWriter: 0.330,
        .inReader: -0.400,
        .inUpkeep: -0.250,
        .apis: 1.180,
        .test: -2.310,
        .vendored: -1.070,
        .generated: -1.010,
        .otherPlatform: -1.170,
        .isExtension: -1.480,
        .isView: -0.440,
        .isMigration: -1.050,
        .isStorage: 0.240,
        .isUpkeep: -0.670,
        .isSettings: 0.490,
        .fileName: 0.920,
        .rareWord: 0.590,
        .isNamedAfter: 0.870,
        .isNamedAfterLeaf: 0.780,
        .folderName: 0.480,
    ]

    /// The weights of the evidence for the probability that a place is right.
    static let confidenceWeights: KeyValuePairs<Feature, Double> = [
        .name: 0.678,
        .best: 0.594,
        .exactName: -0.422,
        .rareWord: 0.279,
        .nearNames: -0.148,
        .fileAgrees: 0.353,
        .resource: -0.506,
        .isNamedAfter: 0.260,
        .test: -1.021,
        .isUpkeep: -0.407,
    ]
    /// The log-odds without evidence, the weights of the share of the odds and of the nearest call.
    static let confidenceConstant = -1.044
    static let confidenceShare = 0.778
    static let confidenceCall = 0.64
    /// The power of the odds.
    static let confidencePower = 0.78
}
