package dev.kvstore.dataplane.server.settings;

import dev.kvstore.settings.DeclaredSettings;
import dev.kvstore.settings.OldNames;
import dev.kvstore.settings.ProgramVariables;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** The settings before the application starts, whose own answer to a wrong one is a stack trace. Stateless. */
public final class EarlySettings {
    // The settings that Flags sets from the command line, so that environment variables cannot set them.
    static final Map<String, String> FLAGS = Map.ofEntries(
            Map.entry("kvstore.accounts", "--accounts"),
            Map.entry("kvstore.control-plane", "--control-plane"),
            Map.entry("kvstore.join-token-file", "--join-token-file"),
            Map.entry("kvstore.region", "--region"),
            Map.entry("kvstore.cluster", ClusterFlags.CLUSTER),
            Map.entry("kvstore.advertise", ClusterFlags.ADVERTISE),
            Map.entry("kvstore.advertise-remote", ClusterFlags.ADVERTISE_REMOTE),
            Map.entry("kvstore.blob-dns-suffix", "--blob-dns-suffix"),
            Map.entry("kvstore.node-name", "--node-name"),
            Map.entry("kvstore.numa-node", "--numa-node"),
            Map.entry("kvstore.transport", "--transport"),
            Map.entry("kvstore.local-addresses", "--enable-multi-nic"));

    private EarlySettings() {}

    /** The settings of these sources, taken as they are. */
    public static DataPlaneSettings read(SmallRyeConfigBuilder sources) {
        return DataPlaneSettings.DECLARED.read(sources.addDefaultInterceptors());
    }

    /** Whether an operator gave this setting a value. */
    public static boolean isGiven(SmallRyeConfigBuilder sources, String name) {
        return sources.build().getConfigValue(name).getRawValue() != null;
    }

    /**
     * The settings of these sources, each known and within its range.
     *
     * @throws IllegalArgumentException naming every setting that is unknown or has a value it cannot have
     */
    public static DataPlaneSettings check(SmallRyeConfigBuilder sources) {
        SmallRyeConfig given = sources.build();
        List<String> flaws = new ArrayList<>(DataPlaneSettings.DECLARED.flaws(given));
        Set<String> unknown = new TreeSet<>();
        for (ConfigSource source : given.getConfigSources()) {
            // How a variable is spelt does not tell its setting's dots from dashes; see checkVariables.
            if (!(source instanceof EnvConfigSource)) {
                unknown.addAll(source.getPropertyNames());
            }
        }
        unknown.removeIf(name -> !name.startsWith(DeclaredSettings.PREFIX));
        unknown.removeAll(FLAGS.keySet());
        unknown.removeAll(DataPlaneSettings.DECLARED.names());
        unknown.removeAll(OldNames.DATA_PLANE.names().keySet());
        unknown.forEach(name -> flaws.add(noSetting(name)));
        refuse(flaws);
        return read(sources);
    }

    /**
     * Checks the names of environment variables; variables of other programs, or of Kubernetes, are passed over.
     *
     * @param referred variables that hold a credential
     * @throws IllegalArgumentException naming every variable that looks like a setting and is none
     */
    public static void checkVariables(Map<String, String> environment, Set<String> referred) {
        refuse(ProgramVariables.unknown(environment).stream()
                .filter(name -> !referred.contains(name))
                .map(EarlySettings::strange)
                .toList());
    }

    private static String strange(String variable) {
        return FLAGS.keySet().stream()
                .filter(name -> OldNames.variable(name).equals(variable.toUpperCase(Locale.ROOT)))
                .map(name -> variable + ": give " + FLAGS.get(name) + " instead")
                .findAny()
                .orElseGet(() -> noSetting(variable));
    }

    private static String noSetting(String name) {
        return name + ": there is no such setting";
    }

    private static void refuse(List<String> flaws) {
        if (!flaws.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", flaws));
        }
    }
}
