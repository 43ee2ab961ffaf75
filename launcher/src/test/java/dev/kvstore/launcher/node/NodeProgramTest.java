package dev.kvstore.launcher.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeProgramTest {
    private static final String PACKAGE = "{\"name\": \"nothing\", \"version\": \"1.0.0\"}";
    private static final String LOCK = """
            {"name": "nothing", "version": "1.0.0", "lockfileVersion": 3,
             "packages": {"": {"name": "nothing", "version": "1.0.0"}}}
            """;

    @TempDir
    Path folder;

    @Test
    void installsAgainAfterAChangedScript() throws Exception {
        Path sources = Files.createDirectories(folder.resolve("sources"));
        Files.writeString(sources.resolve("package.json"), PACKAGE);
        Files.writeString(sources.resolve("package-lock.json"), LOCK);
        NodeProgram program = new NodeProgram(sources, List.of("main.cjs"), folder.resolve("installed"));

        for (String script : List.of("first", "second")) {
            Files.writeString(sources.resolve("main.cjs"), script);
            program.install();

            assertThat(program.folder().resolve("main.cjs")).hasContent(script);
        }
    }

    @Test
    void saysWhatNpmSaidWhenItRefuses() throws Exception {
        Path sources = Files.createDirectories(folder.resolve("sources"));
        Files.writeString(sources.resolve("package.json"), PACKAGE);
        Files.writeString(sources.resolve("package-lock.json"), "no JSON");
        NodeProgram program = new NodeProgram(sources, List.of(), folder.resolve("installed"));

        assertThatThrownBy(program::install)
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("npm ci", "npm error");
    }

    @Test
    void saysWhatToInstallWhereNodeIsMissing() {
        assertThatThrownBy(() -> NodeProgram.start(new ProcessBuilder("no-such-node")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such-node")
                .hasMessageContaining("install Node.js");
    }
}
