# The formula of a tap. `packaging/homebrew/write-formula ADDRESS VERSION ARCHIVE` replaces the address and the checksum.
class Sandboxlint < Formula
  desc "Check app containers against Apple's iOS Data Storage Guidelines"
  homepage "https://github.com/owner/sandboxlint"
  url "https://github.com/owner/sandboxlint/archive/refs/tags/0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :sonoma

  def install
    # SwiftPM cannot open its sandbox within that of Homebrew.
    swift = which("swift")
    (buildpath/"homebrew-tools/swift").write <<~SH
      #!/bin/sh
      case $1 in
      build | package)
          command=$1
          shift
          exec "#{swift}" "$command" --disable-sandbox "$@"
          ;;
      esac
      exec "#{swift}" "$@"
    SH
    chmod 0755, buildpath/"homebrew-tools/swift"
    ENV.prepend_path "PATH", buildpath/"homebrew-tools"
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    system bin/"sandboxlint", "demo", testpath/"trails"
    assert_match "regenerable-in-documents", shell_output("#{bin}/sandboxlint lint #{testpath}/trails --format compact", 1)
    assert_match version.to_s, shell_output("#{bin}/sandboxbackup --version")
  end
end
