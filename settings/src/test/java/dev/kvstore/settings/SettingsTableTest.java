package dev.kvstore.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class SettingsTableTest {
    private static final SettingGroup GROUP = new SettingGroup(
            "Data plane",
            "Given in the environment.",
            List.of(
                    new Setting("transfer-memory", "size", "1G", "130M to 1P", "Memory for blocks.", "Calls wait."),
                    new Setting("peer-ca", "path", "the JDK's authorities", "", "Authorities | of peers.", "")));

    @Test
    void whatProgramsPrintIsRead() {
        assertThat(SettingGroup.parse((GROUP.lines() + GROUP.lines()).lines())).containsExactly(GROUP, GROUP);
    }

    @Test
    void aSettingWithoutTextIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Setting("a", "size", "", "", " ", ""));
    }

    @Test
    void aTerminalGetsAShortLineAndAWrappedText() {
        assertThat(TextTable.of(List.of(GROUP))).isEqualTo("""
                        DATA PLANE
                          Given in the environment.

                          transfer-memory  (size; 130M to 1P; default 1G)
                              Memory for blocks.
                              At the bound: Calls wait.
                          peer-ca  (path; default the JDK's authorities)
                              Authorities | of peers.

                        """);
    }

    @Test
    void noLineIsLongerThanATerminal() {
        Setting wordy = new Setting(
                "a",
                "size",
                "",
                "",
                "word ".repeat(100).strip(),
                "word ".repeat(50).strip());

        assertThat(TextTable.of(List.of(new SettingGroup("t", "how ".repeat(60).strip(), List.of(wordy))))
                        .lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void markdownHasATableForEachGroup() {
        assertThat(MarkdownTable.of(List.of(GROUP)))
                .contains("## Data plane\n\nGiven in the environment.\n\n| name | type | default | range |")
                .contains("| `transfer-memory` | size | `1G` | 130M to 1P | Memory for blocks. | Calls wait. |")
                .contains("| `peer-ca` | path | the JDK's authorities |  | Authorities \\| of peers. |  |");
    }

    @Test
    void flagsAreInTheWordsOfTheirHelp() {
        assertThat(FlagTable.flags(new CommandLine(new SampleCommand())))
                .containsExactlyInAnyOrder(
                        new Setting("--port", "number", "8085", "", "gRPC port.", ""),
                        new Setting("--url", "text", "http://here", "", "Where it is.", ""),
                        new Setting("--ca", "FILE", "the JDK's", "", "Authorities (PEM).", ""),
                        new Setting("--quick", "switch", "", "", "In 90 % less time.", ""));
    }

    @Command(mixinStandardHelpOptions = true)
    @SuppressWarnings("UnusedVariable")
    private static final class SampleCommand {
        @Option(names = "--port", defaultValue = "8085", description = "gRPC port (default ${DEFAULT-VALUE}).")
        int port;

        @Option(
                names = "--url",
                defaultValue = "${env:NO_SUCH_VARIABLE:-http://here}",
                description = "Where it is. Default: NO_SUCH_VARIABLE, else ${DEFAULT-VALUE}.")
        String url = "";

        @Option(names = "--ca", paramLabel = "FILE", description = "Authorities (PEM) (default: the JDK's).")
        @Nullable
        Path ca;

        @Option(names = "--quick", description = "In 90 %% less time.")
        boolean quick;

        @Option(names = "--hidden", hidden = true, description = "For programs.")
        boolean hidden;
    }
}
