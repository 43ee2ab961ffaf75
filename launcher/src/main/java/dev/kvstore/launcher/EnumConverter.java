package dev.kvstore.launcher;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the name of an enum's constant in lower case with hyphens, like the help, or in upper case.
 *
 * @param type of the enum
 */
public record EnumConverter<E extends Enum<E>>(Class<E> type) implements ITypeConverter<E> {
    @Override
    public E convert(String text) {
        for (E constant : type.getEnumConstants()) {
            if (name(constant).equalsIgnoreCase(text)) {
                return constant;
            }
        }
        throw new TypeConversionException("must be " + String.join(" or ", names()) + ", not '" + text + "'");
    }

    private List<String> names() {
        return Arrays.stream(type.getEnumConstants()).map(EnumConverter::name).toList();
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
