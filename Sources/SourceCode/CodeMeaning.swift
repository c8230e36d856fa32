/// The meaning of an identifier for the question where a file is written.
struct CodeMeaning: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8

    static let writes = CodeMeaning(rawValue: 1)
    static let buildsPath = CodeMeaning(rawValue: 2)
    static let reads = CodeMeaning(rawValue: 3)
    static let removes = CodeMeaning(rawValue: 4)
    static let database = CodeMeaning(rawValue: 5)
    static let preferences = CodeMeaning(rawValue: 6)
    /// Resources of the bundle, texts and views.
    static let resource = CodeMeaning(rawValue: 7)
    static let excludes = CodeMeaning(rawValue: 8)
    static let documents = CodeMeaning(rawValue: 10)
    static let support = CodeMeaning(rawValue: 11)
    static let caches = CodeMeaning(rawValue: 12)
    static let temporary = CodeMeaning(rawValue: 13)
    static let library = CodeMeaning(rawValue: 14)
    static let group = CodeMeaning(rawValue: 15)

    /// The type with a default of `CodeDefaults`.
    static func known(_ index: Int) -> CodeMeaning { CodeMeaning(rawValue: UInt8(64 + index)) }
    var knownDefault: Int? { rawValue >= 64 ? Int(rawValue) - 64 : nil }
    var isDirectory: Bool { rawValue >= 10 && rawValue < 20 }

    private static let words: KeyValuePairs<CodeMeaning, String> = [
        .writes: """
        write writeToFile writeToURL createFile createFileAtPath createDirectory createDirectoryAtPath \
        createDirectoryAtURL moveItem copyItem moveItemAtPath moveItemAtURL copyItemAtPath copyItemAtURL replaceItem \
        replaceItemAt archiveRootObject archivedData archivedDataWithRootObject writeAsString writeAsBytes \
        writeAsStringSync writeAsBytesSync openWrite writeFile writeAsStringAsync downloadFile downloadAsync mkdir \
        makeDirectoryAsync fopen ofstream forWritingTo forWritingAtPath fileHandleForWritingAtPath OutputStream \
        createSync copyFile moveFile WriteAllText WriteAllBytes WriteAllTextAsync CreateDirectory FileStream \
        StreamWriter WriteFile MkdirAll createTempFile CreateFile createWriteStream copySync renameSync rename \
        createDirectories DownloadRequest downloadTask AVAudioRecorder AVAssetWriter outputURL DDFileLogger \
        DDLogFileManagerDefault create_dir_all File_create CreateFullPath CreateDir
        """,
        .buildsPath: """
        appendingPathComponent stringByAppendingPathComponent URLByAppendingPathComponent appending appendPathComponent \
        appendingPathExtension stringByAppendingPathExtension fileURLWithPath fileURL filePath FileManager NSFileManager \
        RNFS ReactNativeFS FileSystem Filesystem fileExists fileExistsAtPath Combine joinPath Directory File Folder \
        URLForDirectory NSSearchPathForDirectoriesInDomains directoryURL folderURL
        """,
        .reads: """
        contentsOf contentsOfFile dataWithContentsOfFile initWithContentsOfFile readAsString readAsBytes readFile \
        contentsOfDirectory contentsOfDirectoryAtPath unarchiveObject unarchivedObject unarchiveObjectWithFile \
        ReadAllText ifstream readAsStringSync existsSync exists Exists shareXFiles shareFile UIActivityViewController
        """,
        .removes: "removeItem removeItemAtPath removeItemAtURL deleteFile unlink deleteSync deleteAsync rmSync "
            + "removePersistentDomain removePersistentDomainForName",
        .database: """
        sqlite3_open sqlite3_open_v2 openDatabase DatabaseQueue DatabasePool FMDatabaseQueue FMDatabase NativeDatabase \
        NSPersistentStoreDescription addPersistentStore addPersistentStoreWithType databaseWithPath \
        LazyDatabase openDatabaseSync openDatabaseAsync SQLiteAdapter SQLiteConnection SQLiteAsyncConnection \
        databaseQueueWithPath persistentStoreCoordinator Connection openStore driftDatabase databaseBuilder
        """,
        .preferences: "UserDefaults NSUserDefaults standardUserDefaults SharedPreferences AppStorage Preferences",
        .resource: """
        Bundle mainBundle pathForResource urlForResource forResource rootBundle UIImage imageNamed NSLocalizedString \
        localizedString systemName systemImage accessibilityIdentifier Text Label Image SvgPicture AssetImage Color \
        IconData Key require print NSLog DDLogInfo DDLogError DDLogDebug debugPrint fatalError assert addAttribute \
        forHTTPHeaderField URLQueryItem executeUpdate execute Notification addObserver setTitle testID className \
        NSPredicate dequeueReusableCell instantiateViewController setState console logEvent trackEvent
        """,
        .excludes:
            "isExcludedFromBackup NSURLIsExcludedFromBackupKey isExcludedFromBackupKey setResourceValues SetSkipBackupAttribute",
        .documents: """
        documentDirectory NSDocumentDirectory documentsDirectory getApplicationDocumentsDirectory DocumentDirectoryPath \
        DocumentDir MyDocuments Personal documentsURL documentsPath documentDirectoryURL documentDirectoryPath \
        documentsDirectoryURL documentsFolder documentsDir Documents
        """,
        .support: """
        applicationSupportDirectory NSApplicationSupportDirectory getApplicationSupportDirectory ApplicationData \
        LocalApplicationData applicationSupport appSupportURL applicationSupportURL
        """,
        .caches: """
        cachesDirectory cacheDirectory NSCachesDirectory getApplicationCacheDirectory CachesDirectoryPath InternetCache \
        cachesURL cachesPath CacheDirectory getTemporaryDirectory Cache
        """,
        .temporary: """
        NSTemporaryDirectory temporaryDirectory TemporaryDirectoryPath GetTempPath temporaryDirectoryURL tempDirectory \
        itemReplacementDirectory tmpDirectory temporaryFolder
        """,
        .library: "libraryDirectory NSLibraryDirectory getLibraryDirectory LibraryDirectoryPath",
        .group: """
        containerURL containerURLForSecurityApplicationGroupIdentifier forSecurityApplicationGroupIdentifier \
        securityApplicationGroupIdentifier appGroupContainer appGroup sharedContainerURL sharedContainer groupContainer
        """,
    ]

    /// A table from hashes of identifiers to meanings, with open addressing.
    struct Table: Sendable {
        private var slots: [(hash: UInt32, meaning: UInt8)]
        private let mask: Int

        init() {
            (mask, slots) = (4095, Array(repeating: (0, 0), count: 4096))
            for (meaning, words) in CodeMeaning.words {
                for word in words.split(separator: " ") { add(CodeHash.of(word.utf8), meaning: meaning) }
            }
            for (index, value) in CodeDefaults.all.enumerated() {
                add(CodeHash.of(value.word.utf8), meaning: .known(index))
            }
        }

        private mutating func add(_ hash: UInt32, meaning: CodeMeaning) {
            var slot = Int(hash) & mask
            while slots[slot].meaning != 0, slots[slot].hash != hash { slot = (slot + 1) & mask }
            slots[slot] = (hash, meaning.rawValue)
        }

        @inline(__always)
        subscript(hash: UInt32) -> CodeMeaning? {
            var slot = Int(hash) & mask
            while slots[slot].meaning != 0 {
                if slots[slot].hash == hash { return CodeMeaning(rawValue: slots[slot].meaning) }
                slot = (slot + 1) & mask
            }
            return nil
        }
    }
}
