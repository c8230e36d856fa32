import AppContainer
import AutoArchived
import ContainerArchives
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Archives of @AutoArchived in Python's readers", .needs(.externalProgram)) struct PythonReaderTests {
    /// Runs Python with the packages of Tests/requirements.txt, which `make test` installs.
    private func python(_ code: String, _ arguments: String...) throws -> String {
        let run = try Command(
            Command.python(), ["-c", code] + arguments,
            environment: ["PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "ignore"])
        try #require(run.code == 0, "\(run.errors)")
        return run.text
    }

    @Test("bpylist2 reads the fields of objects, and one object for a shared reference")
    func bpylist2() throws {
        try withContainer { container throws in
            let (root, shared) = (Node(1), Node(2))
            (root.next, root.neighbours) = (shared, [shared])
            try container.archive(root, to: .documents / "a")
            let read = """
                import sys
                from bpylist2 import archiver
                class Node:
                    @staticmethod
                    def decode_archive(archive):
                        node = Node()
                        node.number, node.next = archive.decode('number'), archive.decode('next')
                        node.neighbours = archive.decode('neighbours')
                        return node
                archiver.update_class_map({'Node': Node})
                root = archiver.unarchive_file(sys.argv[1])
                print(root.number, root.next.number, root.next is root.neighbours[0])
                """
            #expect(try python(read, try container.path(.documents / "a").string) == "1 2 True\n")
        }
    }

    @Test("plistlib follows a cycle back to the object it started from")
    func plistlib() throws {
        try withContainer { container throws in
            let (one, two) = (Node(1), Node(2))
            (one.next, two.next, two.parent) = (two, one, one)
            defer { one.next = nil }
            try container.archive(one, to: .documents / "a")
            let read = """
                import plistlib, sys
                plist = plistlib.load(open(sys.argv[1], 'rb'))
                objects = plist['$objects']
                root = objects[plist['$top']['root'].data]
                second = objects[root['next'].data]
                names = {objects[o['$class'].data]['$classname'] for o in (root, second)}
                print(root['number'], second['number'], objects[second['next'].data] is root,
                    objects[second['parent'].data] is root, names)
                """
            let output = try python(read, try container.path(.documents / "a").string)
            #expect(output == "1 2 True True {'Node'}\n")
        }
    }
}
