package dev.kvstore.settings;

import dev.kvstore.settings.OldNames.GivenValue;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/** Replaces old names of settings for a Quarkus application, before it reads them. Stateless. */
public final class OldProperties {
    private OldProperties() {}

    /**
     * Sets the values of old names under the new names, as system properties.
     *
     * @param warning gets each old name once, with the new one
     * @throws IllegalArgumentException if a setting has two values, one under each name
     */
    public static void accept(OldNames names, Consumer<String> warning) {
        Map<String, String> accepted = read(names, new SmallRyeConfigBuilder().addDefaultSources(), warning);
        accepted.forEach(System::setProperty);
        if (!accepted.isEmpty()) {
            // Quarkus would refuse an old name in a file, which stays there. The programs check names themselves.
            System.setProperty("smallrye.config.mapping.validate-unknown", "false");
        }
        // Without the old properties, no other code warns of them again.
        names.names().keySet().forEach(System::clearProperty);
    }

    /** The values of these sources under old names, by the new names. */
    static Map<String, String> read(OldNames names, SmallRyeConfigBuilder sources, Consumer<String> warning) {
        SmallRyeConfig config = sources.build();
        return names.accept(name -> find(config, name), warning);
    }

    private static @Nullable GivenValue find(SmallRyeConfig config, String name) {
        // The first source that has the name wins.
        for (ConfigSource source : config.getConfigSources()) {
            String value = source.getValue(name);
            if (value != null) {
                return source instanceof EnvConfigSource
                        ? GivenValue.variable(name, value)
                        : GivenValue.property(name, value);
            }
        }
        return null;
    }
}
