package dev.kvstore.admin.body;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.admin.problem.Problem;
import dev.kvstore.admin.problem.ProblemException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
    /** A word. */
    public enum Colour {
        @JsonProperty("red")
        RED,
        @JsonProperty("dark-blue")
        DARK_BLUE
    }

    /** An inner object. */
    public record Inner(@Nullable Integer count) {}

    /** A field of each form. */
    public record EveryForm(
            @Nullable String text,
            @Nullable Boolean flag,
            @Nullable Integer count,
            @Nullable Long size,
            @Nullable Instant end,
            @Nullable Colour colour,
            @Nullable Inner inner,
            @Nullable List<Inner> list,
            @Nullable Set<Colour> set) {}

    private final StrictJson json = new StrictJson();

    private EveryForm read(String text) {
        return (EveryForm) json.read(text.getBytes(UTF_8), EveryForm.class);
    }

    private List<String> flaws(String text) {
        ProblemException flaw = catchThrowableOfType(ProblemException.class, () -> read(text));
        assertThat(flaw).as("accepted: %s", text).isNotNull();
        assertThat(flaw.problem().status()).isEqualTo(400);
        return flaw.problem().errors().stream().map(Problem.FieldError::field).toList();
    }

    @Test
    void aFieldOfEachFormIsRead() {
        assertThat(read("""
                {"text": "Größe 💩", "flag": true, "count": -7, "size": 9223372036854775807,
                 "end": "2030-01-31T14:00:00.5+02:00", "colour": "dark-blue", "inner": {"count": 1},
                 "list": [{"count": 2}, {}], "set": ["red"]}"""))
                .isEqualTo(new EveryForm(
                        "Größe 💩",
                        true,
                        -7,
                        Long.MAX_VALUE,
                        Instant.parse("2030-01-31T12:00:00.5Z"),
                        Colour.DARK_BLUE,
                        new Inner(1),
                        List.of(new Inner(2), new Inner(null)),
                        Set.of(Colour.RED)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"100", "100.0", "1e2", "1E+2", "1000e-1"})
    void aWholeNumberIsOneHoweverItIsWritten(String number) {
        assertThat(read("{\"count\": " + number + ", \"size\": " + number + "}"))
                .isEqualTo(new EveryForm(null, null, 100, 100L, null, null, null, null, null));
    }

    @Test
    void theLargestNumberIsReadExactly() {
        assertThat(read("{\"size\": 9223372036854775807.0}"))
                .isEqualTo(new EveryForm(null, null, null, Long.MAX_VALUE, null, null, null, null, null));
    }

    @Test
    void aNumberWithAnAbsurdExponentIsRefused() {
        assertThatThrownBy(() -> read("{\"size\": 1e99999999999}")).isInstanceOf(ProblemException.class);
    }

    @Test
    void whatIsMissingIsNull() {
        assertThat(read("{}")).isEqualTo(new EveryForm(null, null, null, null, null, null, null, null, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"end\": \"\"",
                "\"end\": \" \"",
                "\"end\": 0",
                "\"end\": 1893456000",
                "\"end\": \"1893456000\"",
                "\"end\": \"2030-01-31\"",
                "\"end\": \"2030-13-31T00:00:00Z\"",
                "\"end\": \"+999999999-12-31T23:59:59Z\"",
                "\"count\": 0.9",
                "\"count\": 1e-1",
                "\"count\": 1e10",
                "\"size\": 9223372036854775807.5",
                "\"size\": 1e999999999",
                "\"size\": -1e999999999",
                "\"size\": 1e-999999999",
                "\"count\": \"1\"",
                "\"count\": \"\"",
                "\"count\": true",
                "\"count\": 2147483648",
                "\"size\": 9223372036854775808",
                "\"size\": 1e99",
                "\"flag\": 1",
                "\"flag\": \"true\"",
                "\"flag\": \"\"",
                "\"colour\": 0",
                "\"colour\": \"0\"",
                "\"colour\": \"RED\"",
                "\"colour\": \" red\"",
                "\"colour\": \"\"",
                "\"text\": 1",
                "\"text\": true",
                "\"text\": [\"a\"]",
                "\"text\": \"a\\u0000b\"",
                "\"text\": \"\\u009b31m\"",
                "\"text\": \"\\ud800\"",
                "\"text\": \"\\udc00\\ud800\"",
                "\"inner\": []",
                "\"inner\": \"\"",
                "\"list\": \"\"",
                "\"list\": {}",
                "\"set\": \"red\"",
                "\"text\": null",
                "\"end\": null"
            })
    void aValueOfAnotherFormIsNamed(String field) {
        String name = field.substring(1, field.indexOf('"', 1));

        assertThat(flaws("{" + field + "}")).containsExactly(name);
    }

    @Test
    void eachPlaceIsNamedByItsPath() {
        assertThat(flaws("""
                {"inner": {"count": "1"}, "list": [{}, {"count": 0.5}, null], "set": ["red", "red"], "nosuch": 1,
                 "flag": 0}"""))
                .containsExactlyInAnyOrder("inner.count", "list[1].count", "list[2]", "set[1]", "nosuch", "flag");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "1",
                "\"\"",
                "[]",
                "[{}]",
                "{} {}",
                "{} x",
                "{\"count\": 1, \"count\": 2}",
                "{\"inner\": {\"count\": 1, \"count\": 1}}",
                "{\"count\": NaN}",
                "{\"count\": 01}",
                "{'count': 1}",
                "{\"count\": 1,}",
                "{\"count\": 1} // no",
                "\ufeff{}"
            })
    void whatIsNotOneObjectOfTheBodyIsRefused(String body) {
        assertThat(flaws(body)).containsExactly("the body");
    }

    @Test
    void aBodyIsUtf8() {
        for (byte[] body : List.of("{\"text\": \"ö\"}".getBytes(ISO_8859_1), "{}".getBytes(UTF_16))) {
            assertThatThrownBy(() -> json.read(body, EveryForm.class)).isInstanceOf(ProblemException.class);
        }
    }

    @Test
    void ofManyFlawsTheFirstAreTold() {
        assertThat(flaws("{\"list\": [" + "1,".repeat(100_000) + "1]}")).hasSize(20);
    }

    @Test
    void aNameThatIsNoFieldIsToldCutAndCleaned() {
        assertThat(flaws("{\"\\u001b[31m" + "x".repeat(10_000) + "\": 1}")).containsExactly("?[31m" + "x".repeat(95));
    }

    /** Would be 0 when it is missing. */
    public record Primitive(int count) {}

    /** Could be any form. */
    public record Anything(@Nullable Object value) {}

    @Test
    void aTypeThatHasNoOneFormIsNoBody() {
        for (Class<?> type : List.of(Primitive.class, Anything.class, Object.class, Thread.State.class)) {
            assertThatThrownBy(() -> json.read("{}".getBytes(UTF_8), type))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
