package dev.kvstore.launcher.admin;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/** A number of bytes in the form for people: {@code 500}, {@code 10M}, {@code 1.5G}; a K is 1,000. Stateless. */
final class Amount implements ITypeConverter<Long> {
    private static final String UNITS = "KMGT";
    private static final int STEP = 1_000;
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,15})(\\.\\d{1,6})?([KMGT]?)B?");

    @Override
    public Long convert(String text) {
        Matcher matcher = SHAPE.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no number of bytes such as 500M or 1.5G");
        }
        String fraction = matcher.group(2) == null ? "" : matcher.group(2);
        int power = matcher.group(3).isEmpty() ? 0 : UNITS.indexOf(matcher.group(3)) + 1;
        return Math.round(Double.parseDouble(matcher.group(1) + fraction) * Math.pow(STEP, power));
    }

    /** The text of a number of bytes, with three digits. */
    static String text(long bytes) {
        double amount = bytes;
        int power = 0;
        while (amount >= STEP && power < UNITS.length()) {
            amount /= STEP;
            power++;
        }
        String unit = power == 0 ? "B" : UNITS.charAt(power - 1) + "B";
        int digits = power == 0 || amount >= 100 ? 0 : amount >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + digits + "f %s", amount, unit);
    }
}
