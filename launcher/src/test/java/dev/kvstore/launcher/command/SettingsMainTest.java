package dev.kvstore.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import dev.kvstore.settings.Setting;
import dev.kvstore.settings.SettingGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SettingsMainTest {
    private static final Pattern VARIABLE = Pattern.compile("\\bKV_[A-Z_]+|\\bKVSTORE_(URL|ADMIN_TOKEN)\\b");
    private final List<SettingGroup> groups = SettingsMain.groups(Launcher.commandLine());

    @Test
    void theFlagsOfEveryVerbAreThere() {
        assertThat(names(0)).contains("--added-storage-latency", "--data", "--rest-port");
        assertThat(names(1)).contains("--http-port", "--json");
        assertThat(names(2)).contains("--vault", "--file").doesNotContain("--metadata");
        assertThat(names(3)).contains("--url", "--token-file").doesNotHaveDuplicates();
    }

    @Test
    void defaultsAreThoseOfTheFlags() {
        assertThat(groups.getFirst().settings())
                .filteredOn(setting -> setting.name().equals("--round-trip"))
                .extracting(Setting::standard)
                .containsExactly("60");
    }

    @Test
    void everyVariableThatKvReadsIsInTheTable() throws IOException {
        // kv up only prints these, for the Python client.
        List<String> printed = List.of("KV_CONTROL_PLANE", "KV_REGION", "KV_RESOURCE");
        Path home = Home.current().path();
        List<String> texts =
                List.of(Files.readString(home.resolve("kv")), sources(home, "launcher"), sources(home, "benchmark"));

        assertThat(texts.stream()
                        .flatMap(text -> VARIABLE.matcher(text).results())
                        .map(MatchResult::group)
                        .filter(variable -> !printed.contains(variable))
                        .distinct())
                .isNotEmpty()
                .isSubsetOf(VariableList.VARIABLES.stream().map(Setting::name).toList());
    }

    private List<String> names(int group) {
        return groups.get(group).settings().stream().map(Setting::name).toList();
    }

    private static String sources(Path home, String module) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(home.resolve(module).resolve("src/main/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }
}
