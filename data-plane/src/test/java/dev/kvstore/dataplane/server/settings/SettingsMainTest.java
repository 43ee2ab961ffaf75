package dev.kvstore.dataplane.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.settings.Described;
import dev.kvstore.settings.OldNames;
import dev.kvstore.settings.ProgramVariables;
import dev.kvstore.settings.Setting;
import dev.kvstore.settings.SettingRange;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SettingsMainTest {
    private static final Map<String, Setting> TABLE =
            DataPlaneSettings.DECLARED.table().stream().collect(Collectors.toMap(Setting::name, Function.identity()));

    @Test
    void everySettingIsDescribedOrSetByAFlag() {
        assertThat(Stream.of(DataPlaneSettings.class.getMethods())
                        .filter(method -> !method.isAnnotationPresent(Described.class))
                        .map(SettingsMainTest::name))
                .containsExactlyInAnyOrderElementsOf(EarlySettings.FLAGS.keySet().stream()
                        .map(name -> name.substring("kvstore.".length()))
                        .toList());
        assertThat(TABLE).hasSize(DataPlaneSettings.class.getMethods().length - EarlySettings.FLAGS.size());
    }

    @Test
    void everyRangeInTheTableIsTheOneInForce() {
        for (SettingRange range : DataPlaneSettings.DECLARED.ranges()) {
            if (range.span().isEmpty()) {
                continue; // a list
            }
            String name = range.name().substring("kvstore.".length());
            String[] ends = Objects.requireNonNull(TABLE.get(name)).range().split(" to ", -1);

            assertThat(ends)
                    .as(name)
                    .hasSize(2)
                    .allSatisfy(end -> assertThat(range.flaw(name, end)).isNull());
        }
    }

    @Test
    void everyFlagOfTheHelpIsInTheTable() {
        assertThat(SettingsMain.groups().get(1).settings())
                .extracting(Setting::name)
                .contains("--accounts", "--control-plane", "--cluster", "--port", "--tls-cert", "--numa-node")
                .doesNotContain("--help", "--version", "--end-with-parent");
    }

    @Test
    void otherProgramsKnowItsVariables() {
        assertThat(ProgramVariables.DATA_PLANE)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                DataPlaneSettings.DECLARED.names().stream().map(OldNames::variable),
                                Stream.of(JoinToken.VARIABLE))
                        .toList());
    }

    @Test
    void everyOldNameIsThatOfASettingThatThereIs() {
        assertThat(DataPlaneSettings.DECLARED.names())
                .containsAll(OldNames.DATA_PLANE.names().values())
                .doesNotContainAnyElementsOf(OldNames.DATA_PLANE.names().keySet());
    }

    @Test
    void whatIsPrintedHasALineForEachSetting() {
        List<String> lines = SettingsMain.groups().getFirst().lines().lines().toList();

        assertThat(lines).hasSize(TABLE.size() + 1);
        assertThat(lines).anyMatch(line -> line.startsWith("transfer-memory\tsize\t1G\t130M to 1P\t"));
    }

    private static String name(Method method) {
        return method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
