package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.client.internal.ClientOptions;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OptionTableTest {
    private static final Map<String, OptionTable.Row> ROWS =
            OptionTable.rows().stream().collect(Collectors.toMap(OptionTable.Row::name, Function.identity()));

    @Test
    void everyOptionIsInTheTableAndNothingElse() {
        Stream<String> builder = Stream.of(KvClientBuilder.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !method.isAnnotationPresent(Deprecated.class))
                .map(Method::getName)
                .filter(name -> !Set.of("build", "buildAsync").contains(name));
        Stream<String> parts = Stream.concat(
                components("retry.", RetryOptions.class), components("transport.", TransportOptions.class));

        assertThat(ROWS.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(builder, parts).toList());
    }

    @Test
    void everyOptionHasATextOfOneLine() {
        assertThat(ROWS.values()).allSatisfy(row -> {
            assertThat(row.bounds()).as(row.name()).isNotBlank();
            assertThat(row.line()).doesNotContain("\n").matches("[^\t]*(\t[^\t]*){5}");
        });
    }

    @Test
    void theRangesOfNumbersAreThoseInForce() throws Exception {
        for (OptionTable.Row row : ROWS.values()) {
            if (row.name().contains(".") || !row.range().matches("\\d+ to \\d+")) {
                continue;
            }
            Method method = KvClientBuilder.class.getMethod(row.name(), int.class);
            List<Integer> ends =
                    Stream.of(row.range().split(" to ")).map(Integer::parseInt).toList();
            for (int end : ends) {
                assertThatCode(() -> built(method, end)).as(row.name()).doesNotThrowAnyException();
            }
            assertThatThrownBy(() -> built(method, ends.get(0) - 1))
                    .as(row.name())
                    .hasMessageContaining(row.range());
            assertThatThrownBy(() -> built(method, ends.get(1) + 1))
                    .as(row.name())
                    .hasMessageContaining(row.range());
        }
    }

    @Test
    void defaultsAreThoseInForce() {
        assertThat(standard("serverStallTimeout")).isEqualTo("2 s");
        assertThat(standard("maxAsyncCalls")).isEqualTo("1024");
        assertThat(standard("retry.initialBackoff")).isEqualTo("50 ms");
        assertThat(TransportOptions.DEFAULT.eventLoopThreads())
                .isEqualTo(Math.min(4, Runtime.getRuntime().availableProcessors()));
    }

    private static String standard(String name) {
        return Objects.requireNonNull(ROWS.get(name)).standard();
    }

    private static ClientOptions built(Method option, int value) throws ReflectiveOperationException {
        // A read window holds a part of whatever size.
        KvClientBuilder builder = KvClient.builder()
                .endpoints("a:1")
                .apiKey("kv_a_b")
                .resource("demo")
                .readWindowBytes(1 << 30);
        return ((KvClientBuilder) option.invoke(builder, value)).options();
    }

    private static Stream<String> components(String prefix, Class<?> type) {
        return Stream.of(type.getRecordComponents())
                .map(RecordComponent::getName)
                .map(prefix::concat);
    }
}
