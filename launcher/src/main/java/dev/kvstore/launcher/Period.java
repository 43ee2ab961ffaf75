package dev.kvstore.launcher;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/** Seconds as people write them: {@code 30s}, {@code 10m}, {@code 6h}, {@code 1d}. Stateless. */
public final class Period implements ITypeConverter<Long> {
    private static final Map<String, Long> UNITS = Map.of("s", 1L, "m", 60L, "h", 3_600L, "d", 86_400L);
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,9})([smhd])");

    @Override
    public Long convert(String text) {
        Matcher matcher = SHAPE.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no time such as 30s, 10m, 6h or 1d");
        }
        return Long.parseLong(matcher.group(1)) * UNITS.getOrDefault(matcher.group(2), 1L);
    }
}
