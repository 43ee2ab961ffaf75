package dev.kvstore.launcher.azurite;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.node.NodeProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The pinned npm package, installed once below {@code target} of the checkout. */
final class AzuriteInstallation {
    private static final String END_WITH_PARENT = "end-with-parent.cjs";

    private final NodeProgram program;

    private AzuriteInstallation(NodeProgram program) {
        this.program = program;
    }

    /** The installation of this checkout. */
    static AzuriteInstallation ofCheckout() {
        Path home = Home.current().path();
        return new AzuriteInstallation(new NodeProgram(
                home.resolve("launcher/azurite"), List.of(END_WITH_PARENT), home.resolve("target/azurite")));
    }

    /** The command that starts the blob service. Installs it first, if that was not done yet. */
    List<String> command() throws IOException, InterruptedException {
        program.install();
        Path folder = program.folder();
        return List.of(
                "node",
                "--require",
                folder.resolve(END_WITH_PARENT).toString(),
                folder.resolve("node_modules/azurite/dist/src/blob/main.js").toString());
    }
}
