import Foundation
import TestSupport
import Testing

/// Runs `scripts/review-comment` against a stand-in of the APIs on loopback, which checks method, path, headers and length.
@Suite("The comment on a pull request", .needs(.externalProgram), .timeLimit(.minutes(60))) struct ReviewCommentTests {
    struct Comment: Codable, Equatable {
        let id: Int
        let body: String
    }

    struct Result {
        let command: Command
        let comments: [Comment]
        /// The requests as “METHOD path status”.
        let requests: [String]
    }

    private static let marker = "<!-- sandboxlint comment CI/lint run 10.1 -->\n"

    /// Posts a text in a job of a pull request.
    private func post(
        _ text: String = "## sandboxlint: 1 new cause\n", scene: String = "none", to comments: [Comment] = [],
        isGitLab: Bool = false, environment: [String: String] = [:]
    ) throws -> Result {
        try withScratch { folder throws in
            try folder.write(text, to: "comment.md")
            try folder.write(#"{"pull_request": {"number": 7}}"#, to: "event.json")
            try JSONEncoder().encode(comments).write(to: folder.appending(path: "state.json"))
            let known =
                isGitLab
                ? [
                    "GITLAB_CI": "true", "CI_PROJECT_ID": "group/app", "CI_MERGE_REQUEST_IID": "7", "CI_JOB_ID": "20",
                    "CI_JOB_NAME": "CI/lint", "GITLAB_TOKEN": "job-token",
                ]
                : [
                    "GITHUB_REPOSITORY": "owner/app", "GITHUB_EVENT_PATH": folder.appending(path: "event.json").path,
                    "GITHUB_WORKFLOW": "CI", "GITHUB_JOB": "lint", "GITHUB_RUN_ID": "20", "GITHUB_RUN_ATTEMPT": "1",
                    "GITHUB_TOKEN": "job-token", "GITLAB_CI": "",
                ]
            let command = try Command(
                Command.python(),
                [
                    Workflow.root.appending(path: "Tests/Workflow/comment-api").path, scene, "state.json", "log",
                    try Command.python(), Workflow.root.appending(path: "scripts/review-comment").path, "post",
                    "comment.md",
                ], in: folder, environment: known.merging(environment) { $1 })
            struct Entry: Decodable { let method: String, path: String, status: Int }
            let log = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8).split(separator: "\n")
            return Result(
                command: command,
                comments: try JSONDecoder().decode(
                    [Comment].self, from: Data(contentsOf: folder.appending(path: "state.json"))),
                requests: try log.map {
                    let entry = try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
                    return "\(entry.method) \(entry.path) \(entry.status)"
                })
        }
    }

    @Test("One comment is created, then updated, on GitHub and on GitLab", arguments: [false, true])
    func update(isGitLab: Bool) throws {
        let first = try post(isGitLab: isGitLab)
        #expect(first.command.code == 0 && first.command.text == "created comment 100\n", "\(first.command.errors)")
        let path = isGitLab ? "/projects/group%2Fapp/merge_requests/7/notes" : "/repos/owner/app/issues/7/comments"
        let order = isGitLab ? "&sort=asc&order_by=created_at" : ""
        let list = "GET \(path)?per_page=100&page=1\(order) 200"
        #expect(first.requests == [list, "POST \(path) 201", list])
        let other = Comment(id: 3, body: "Looks good")
        let second = try post("## sandboxlint: 2 fixed causes\n", to: [other] + first.comments, isGitLab: isGitLab)
        let item = isGitLab ? "PUT \(path)/100 200" : "PATCH /repos/owner/app/issues/comments/100 200"
        #expect(second.requests == [list, item] && second.comments.count == 2 && second.comments[0] == other)
        #expect(second.comments[1].body.hasSuffix(" -->\n## sandboxlint: 2 fixed causes\n"))
        // The same text is not sent again.
        let third = try post("## sandboxlint: 2 fixed causes\n", to: second.comments, isGitLab: isGitLab)
        #expect(third.requests == [list] && third.command.text == "comment 100 has this text already\n")
    }

    @Test("The comment is found behind a hundred others, and not in a quotation of it")
    func pages() throws {
        let others = (1...150).map { Comment(id: $0, body: $0 == 5 ? "> \(Self.marker)quoted" : "Comment \($0)") }
        let run = try post(to: others + [Comment(id: 151, body: Self.marker + "old\n")])
        #expect(run.command.text == "updated comment 151\n" && run.comments.count == 151, "\(run.requests)")
        #expect(run.requests.count == 3 && run.comments[4].body.hasSuffix("quoted"))
    }

    @Test("An edited comment is replaced, a deleted one is created again, and a copy of another author stays")
    func edited() throws {
        let edited = try post(to: [Comment(id: 1, body: Self.marker + "edited by hand\n")])
        #expect(edited.comments.map(\.id) == [1] && !edited.comments[0].body.contains("edited"))
        let unmarked = try post(to: [Comment(id: 1, body: "without the marker\n")])
        #expect(unmarked.comments.count == 2 && unmarked.comments[0].body == "without the marker\n")
        let gone = try post(scene: "gone", to: [Comment(id: 1, body: Self.marker + "old\n")])
        #expect(
            gone.command.text == "created comment 100\n" && gone.requests.contains { $0.hasSuffix("comments/1 404") })
        let copy = try post(scene: "other-author", to: [Comment(id: 1, body: Self.marker + "old\n")])
        #expect(copy.command.text.hasPrefix("created comment 101") || copy.comments.count == 2, "\(copy.command.text)")
        #expect(copy.comments[0].body == Self.marker + "old\n")
    }

    @Test("Of two jobs at once, one comment stays, with the text of the later run")
    func race() throws {
        let run = try post(scene: "race")
        #expect(run.command.text == "updated comment 100, which another job created at the same time\n")
        #expect(run.comments.count == 1 && run.comments[0].body.contains(" run 20.1 -->"), "\(run.comments)")
        let later = Comment(id: 1, body: Self.marker.replacing("run 10.1", with: "run 21.1") + "later\n")
        let late = try post(to: [later])
        #expect(late.comments == [later] && late.command.text == "comment 1 is of a later run and stays\n")
        let otherJob = Comment(id: 1, body: "<!-- sandboxlint comment CI/other run 10.1 -->\nother\n")
        #expect(try post(to: [otherJob]).comments.count == 2)
    }

    @Test(
        "Without a pull request, a token or the right to write, there is no comment, and the job goes on",
        arguments: [
            (["GITHUB_TOKEN": ""], "none", "no comment: there is no token\n"),
            (["GITHUB_EVENT_PATH": "/nonexistent"], "none", "no comment: this run does not belong to a pull request\n"),
            (["GITHUB_REPOSITORY": "x"], "none", "no comment: GITHUB_REPOSITORY is not set\n"),
            (["GITHUB_TOKEN": "wrong"], "none", "no comment: the token may not write comments, as in a pull request"),
            (
                [:], "read-only",
                "no comment: the token may not write comments, as in a pull request from a fork (POST: 403)"
            ),
        ])
    func fork(environment: [String: String], scene: String, text: String) throws {
        let run = try post(scene: scene, environment: environment)
        #expect(run.command.code == 0 && run.command.text.hasPrefix(text), "\(run.command.text)\(run.command.errors)")
        #expect(run.comments.isEmpty && !run.command.text.contains("job-token"))
    }

    @Test("A service that fails is asked three times, and a redirection gets no token")
    func failures() throws {
        let busy = try post(scene: "busy")
        #expect(busy.command.text == "created comment 100\n" && busy.requests.count == 5)
        let down = try post(scene: "down")
        #expect(down.command.code == 1 && down.requests.count == 3, "\(down.requests)")
        #expect(down.command.errors.contains("failed 3 times: 503"))
        let moved = try post(scene: "redirect")
        #expect(moved.command.code == 1 && moved.requests.count == 1 && moved.command.errors.contains("301"))
    }

    @Test("A text above the limit is cut at a line, and its sections are closed")
    func limit() throws {
        let row = "| warning | <code>tmp/ünïcödé.part</code> | 3 KB |\n"
        let text =
            "## Title\n\n<details>\n<summary>New</summary>\n\n" + String(repeating: row, count: 60_000)
            + "\n</details>\n"
        let run = try post(text)
        let body = try #require(run.comments.first?.body)
        #expect(
            body.unicodeScalars.count <= 65_536 && body.unicodeScalars.count > 65_000, "\(body.unicodeScalars.count)")
        #expect(body.contains("KB |\n\n</details>\n\n**Shortened**"), "\(body.suffix(300))")
        // GitLab has another limit.
        let long = try #require(post(String(repeating: row, count: 6_000), isGitLab: true).comments.first?.body)
        #expect(long.unicodeScalars.count > 300_000 && !long.contains("**Shortened**"))
    }
}
