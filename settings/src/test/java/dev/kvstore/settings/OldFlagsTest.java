package dev.kvstore.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

final class OldFlagsTest {
    private final List<String> warnings = new ArrayList<>();

    @Test
    void anOldFlagBecomesTheNewOneAndIsWarnedOf() {
        assertThat(replace(with("--added-storage-latency"), "up", "--storage-latency", "get=1ms"))
                .containsExactly("up", "--added-storage-latency", "get=1ms");
        assertThat(replace(with("--added-storage-latency"), "up", "--storage-latency=get=1ms"))
                .containsExactly("up", "--added-storage-latency=get=1ms");
        assertThat(warnings)
                .hasSize(2)
                .contains("kv up: --storage-latency is now called --added-storage-latency; version 0.3 will refuse the"
                        + " old name");
    }

    @Test
    void aFlagThatACommandHasUnderThatNameStays() {
        assertThat(replace(with("--disk", "--disk-tier-size"), "up", "--disk")).containsExactly("up", "--disk");
        assertThat(replace(with("--other"), "up", "--disk")).containsExactly("up", "--disk");
        assertThat(warnings).isEmpty();
    }

    private String[] replace(CommandLine program, String... arguments) {
        return OldFlags.replace(program, arguments, warnings::add);
    }

    private static CommandLine with(String... flags) {
        CommandSpec up = CommandSpec.create();
        for (String flag : flags) {
            up.addOption(OptionSpec.builder(flag).type(String.class).build());
        }
        return new CommandLine(CommandSpec.create().name("kv").addSubcommand("up", up));
    }
}
