package dev.kvstore.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.Test;

final class DeclaredSettingsTest {
    /** A size of clothes, of which {@code M} is less than {@code X}. */
    record Fit(char letter) implements Comparable<Fit> {
        public static Fit of(String text) {
            if (text.length() != 1) {
                throw new IllegalArgumentException(text);
            }
            return new Fit(text.charAt(0));
        }

        @Override
        public int compareTo(Fit other) {
            return Character.compare(letter, other.letter);
        }
    }

    @ConfigMapping(prefix = "kvstore")
    interface Shop {
        @WithDefault("3")
        @Described(least = "1", bounds = "Shirts of one customer.", reached = "The customer leaves.")
        int maxShirts();

        @WithName("window.open")
        @WithDefault("false")
        @Described(bounds = "Opens the window.")
        boolean open();

        @Described(type = "fit", form = "a letter", least = "L", most = "S", bounds = "Fit of the shirts.")
        Optional<Fit> fit();

        /** A flag's, without a description. */
        Optional<String> owner();
    }

    private static final DeclaredSettings<Shop> DECLARED = new DeclaredSettings<>(Shop.class);

    @Test
    void theTableHasEachDescribedSettingByItsName() {
        assertThat(DECLARED.table())
                .containsExactly(
                        new Setting("fit", "fit", "none", "L to S", "Fit of the shirts.", ""),
                        new Setting(
                                "max-shirts",
                                "number",
                                "3",
                                "1 or more",
                                "Shirts of one customer.",
                                "The customer leaves."),
                        new Setting("window.open", "switch", "false", "true or false", "Opens the window.", ""));
        assertThat(DECLARED.names())
                .containsExactlyInAnyOrder("kvstore.fit", "kvstore.max-shirts", "kvstore.window.open");
    }

    @Test
    void aSettingThatNobodyGivesHasItsDefault() {
        Shop shop = DECLARED.read(sources(new PropertiesConfigSource(Map.of("kvstore.fit", "M"), "test", 100)));

        assertThat(shop.maxShirts()).isEqualTo(3);
        assertThat(shop.open()).isFalse();
        assertThat(shop.fit()).contains(new Fit('M'));
    }

    @Test
    void aFlawNamesTheSettingAsTheOperatorSpeltIt() {
        assertThat(DECLARED.flaws(sources(
                                new EnvConfigSource(Map.of("KVSTORE_WINDOW_OPEN", "wide", "KVSTORE_FIT", "X"), 300),
                                new PropertiesConfigSource(Map.of("kvstore.max-shirts", "0"), "test", 100))
                        .build()))
                .containsExactly(
                        "KVSTORE_FIT: must be L to S, not X",
                        "kvstore.max-shirts: must be 1 or more, not 0",
                        "KVSTORE_WINDOW_OPEN: cannot be \"wide\"; give true or false");
    }

    private static SmallRyeConfigBuilder sources(ConfigSource... sources) {
        return new SmallRyeConfigBuilder().withSources(sources);
    }
}
