// Written by scripts/learn-places.

extension CodeModel {
    /// The weights of the evidence on a file in comparison with others.
    static let placeWeights: [Feature: Double] = [
        .name: 0.616,
        .best: 1.168,
        .exactName: 0.292,
        .nearNames: 0.690,
        .leaf: 0.499,
        .leadsExact: 0.278,
        .isNameArgument: 0.362,
        .isCompared: -0.632,
        .isKnown: 2.016,
        .isComputed: 0.838,
        .writes: 0.225,
        .buildsPath: 1.330,
        .reads: 0.202,
        .database: 0.472,
        .resource: -0.655,
        .agrees: 0.816,
        .disagrees: 0.398,
        .fileAgrees: 0.669,
        .isConstant: 0.263,
        .isLocalUse: 0.662,
        .isUse: -0.299,
        .isFunctionUse: -0.640,
        .fateReads: -0.361,
        .fateUpkeep: -0.258,
        .inWriter: 0.361,
        .inReader: -0.397,
        .inUpkeep: -0.256,
        .apis: 1.204,
        .test: -2.280,
        .vendored: -1.054,
        .generated: -1.009,
        .otherPlatform: -1.172,
        .isExtension: -1.557,
        .isView: -0.433,
        .isMigration: -1.047,
        .isStorage: 0.177,
        .isUpkeep: -0.722,
        .isSettings: 0.483,
        .fileName: 0.902,
        .rareWord: 0.614,
        .isNamedAfter: 0.878,
        .isNamedAfterLeaf: 0.794,
        .folderName: 0.384,
    ]

    /// The weights of the evidence for the probability that a place is right.
    static let confidenceWeights: KeyValuePairs<Feature, Double> = [
        .name: 0.489,
        .best: 0.612,
        .exactName: -0.340,
        .rareWord: 0.277,
        .nearNames: -0.156,
        .fileAgrees: 0.336,
        .resource: -0.560,
        .isNamedAfter: 0.220,
        .test: -0.953,
        .isUpkeep: -0.799,
    ]
    /// The log-odds without evidence, the weights of the share of the odds and of the nearest call.
    static let confidenceConstant = -1.011
    static let confidenceShare = 0.780
    static let confidenceCall = 0.733
    /// The power of the odds.
    static let confidencePower = 0.66
}
