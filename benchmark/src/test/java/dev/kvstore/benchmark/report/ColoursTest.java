package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The colours of {@code page.css} by day (left in each pair) and by night. */
class ColoursTest {
    private static final int SERIES = 8;

    // In Oklab, where 0.02 is just seen side by side; far more is wanted of thin lines apart from each other.
    private static final double APART = 0.1;

    /** How colours look to those who lack a kind of cone: Machado, Oliveira, Fernandes (2009), severity 1. */
    enum ColourVision {
        ALL_CONES(1, 0, 0, 0, 1, 0, 0, 0, 1),
        NO_RED(0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998),
        NO_GREEN(0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881),
        NO_BLUE(1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900);

        @SuppressWarnings("ImmutableEnumChecker") // nobody changes it
        private final double[] matrix;

        ColourVision(double... matrix) {
            this.matrix = matrix;
        }

        double[] of(double[] colour) {
            return times(matrix, colour);
        }
    }

    @ParameterizedTest
    @CsvSource({"text, page", "muted, page", "accent, page", "warning, page", "text, raised", "muted, raised"})
    void textStandsOutAsWcagWantsOfText(String text, String ground) {
        for (int night = 0; night < 2; night++) {
            assertThat(contrast(colour(text, night), colour(ground, night))).isGreaterThanOrEqualTo(4.5);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void seriesStandOutAsWcagWantsOfGraphics(int series) {
        for (int night = 0; night < 2; night++) {
            assertThat(contrast(colour("series-" + series, night), colour("page", night)))
                    .isGreaterThanOrEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(ColourVision.class)
    void seriesAreToldApartByAllEyes(ColourVision sight) {
        for (int night = 0; night < 2; night++) {
            int day = night;
            List<double[]> seen = new ArrayList<>();
            IntStream.range(0, SERIES).forEach(series -> seen.add(oklab(sight.of(colour("series-" + series, day)))));
            for (int one = 0; one < SERIES; one++) {
                for (int other = one + 1; other < SERIES; other++) {
                    assertThat(distance(seen.get(one), seen.get(other)))
                            .as("series %d and %d", one, other)
                            .isGreaterThan(APART);
                }
            }
        }
    }

    /** Linear red, green and blue, 0 to 1. */
    private static double[] colour(String name, int night) {
        Matcher matcher = Pattern.compile("--" + name + ": light-dark\\(#(\\w{6}), #(\\w{6})\\)")
                .matcher(Assets.read("page.css"));
        assertThat(matcher.find()).as(name).isTrue();
        int rgb = Integer.parseInt(matcher.group(1 + night), 16);
        return new double[] {linear(rgb >> 16), linear(rgb >> 8), linear(rgb)};
    }

    private static double linear(int channel) {
        double value = (channel & 0xFF) / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }

    private static double contrast(double[] one, double[] other) {
        double lighter = Math.max(luminance(one), luminance(other));
        double darker = Math.min(luminance(one), luminance(other));
        return (lighter + 0.05) / (darker + 0.05);
    }

    private static double luminance(double[] colour) {
        return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2];
    }

    /** Ottosson, "A perceptual color space for image processing" (2020). */
    private static double[] oklab(double[] colour) {
        double[] cones = times(
                new double[] {
                    0.4122214708,
                    0.5363325363,
                    0.0514459929,
                    0.2119034982,
                    0.6806995451,
                    0.1073969566,
                    0.0883024619,
                    0.2817188376,
                    0.6299787005
                },
                colour);
        for (int i = 0; i < cones.length; i++) {
            cones[i] = Math.cbrt(cones[i]);
        }
        return times(
                new double[] {
                    0.2104542553,
                    0.7936177850,
                    -0.0040720468,
                    1.9779984951,
                    -2.4285922050,
                    0.4505937099,
                    0.0259040371,
                    0.7827717662,
                    -0.8086757660
                },
                cones);
    }

    private static double[] times(double[] matrix, double[] vector) {
        double[] product = new double[3];
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++) {
                product[row] += matrix[3 * row + column] * vector[column];
            }
        }
        return product;
    }

    private static double distance(double[] one, double[] other) {
        return Math.hypot(Math.hypot(one[0] - other[0], one[1] - other[1]), one[2] - other[2]);
    }
}
