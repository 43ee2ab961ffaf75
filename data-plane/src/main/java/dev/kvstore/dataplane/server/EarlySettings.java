package dev.kvstore.dataplane.server;

import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.spi.Converter;

/** The settings before the application starts, whose own answer to a wrong one is a stack trace. Stateless. */
final class EarlySettings {
    private static final Pattern LIBRARYS = Pattern.compile("([\\w.]+Exception: |SRCFG\\d+: )");
    private static final Pattern CONVERSION =
            Pattern.compile("The config property (\\S+) with the config value \"(.*)\""
                    + " threw an Exception whilst being converted (.*)");

    private EarlySettings() {}

    /**
     * Reads the settings from system properties and environment.
     *
     * @throws IllegalArgumentException naming every setting that is unknown or has a value it cannot have
     */
    static Settings read() {
        return read(new SmallRyeConfigBuilder().addDefaultSources());
    }

    static Settings read(SmallRyeConfigBuilder sources) {
        try {
            return sources.addDefaultInterceptors()
                    .withConverters(new Converter<?>[] {new MemorySizeConverter(), new DurationConverter()})
                    .withMapping(Settings.class)
                    .build()
                    .getConfigMapping(Settings.class);
        } catch (ConfigValidationException e) {
            throw new IllegalArgumentException(
                    IntStream.range(0, e.getProblemCount())
                            .mapToObj(i -> readable(e.getProblem(i).getMessage()))
                            .collect(Collectors.joining("; ")),
                    e);
        }
    }

    /** Without the names of classes and the numbers of messages that the library puts in. */
    private static String readable(String problem) {
        String plain = LIBRARYS.matcher(problem).replaceAll("");
        return CONVERSION.matcher(plain).replaceAll("$1: cannot be \"$2\": $3");
    }
}
