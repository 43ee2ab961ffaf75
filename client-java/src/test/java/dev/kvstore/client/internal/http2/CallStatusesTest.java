package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2Error;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** HTTP/2's errors and trailers, as gRPC's mapping (PROTOCOL-HTTP2.md) names them. */
class CallStatusesTest {
    private static final Metadata.Key<String> STATUS = Metadata.Key.of("grpc-status", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> MESSAGE =
            Metadata.Key.of("grpc-message", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> CONTENT_TYPE =
            Metadata.Key.of("content-type", Metadata.ASCII_STRING_MARSHALLER);
    private static final Map<Character, TimeUnit> UNITS = Map.of(
            'n', TimeUnit.NANOSECONDS, 'u', TimeUnit.MICROSECONDS, 'm', TimeUnit.MILLISECONDS, 'S', TimeUnit.SECONDS);

    @ParameterizedTest
    @EnumSource
    void aResetHasTheStatusOfItsErrorAndItsName(Http2Error error) {
        Status.Code code = switch (error) {
            case REFUSED_STREAM -> Status.Code.UNAVAILABLE;
            case CANCEL -> Status.Code.CANCELLED;
            case ENHANCE_YOUR_CALM -> Status.Code.RESOURCE_EXHAUSTED;
            case INADEQUATE_SECURITY -> Status.Code.PERMISSION_DENIED;
            default -> Status.Code.INTERNAL;
        };

        Status status = CallStatuses.ofReset(error.code());

        assertThat(status.getCode()).isEqualTo(code);
        assertThat(status.getDescription()).endsWith(error.name());
    }

    @Test
    void anErrorThatNobodyKnowsIsANumber() {
        Status status = CallStatuses.ofReset(0xFFFF_FFFFL);

        assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
        assertThat(status.getDescription()).endsWith("4294967295");
        assertThat(CallStatuses.ofGoAway(99, "").getDescription()).endsWith("99");
    }

    @ParameterizedTest
    @EnumSource
    void callsThatAGoAwayLeavesOutAreUnavailableWhateverItsError(Http2Error error) {
        Status status = CallStatuses.ofGoAway(error.code(), "because");

        assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(status.getDescription()).endsWith(error.name() + ", because");
    }

    @ParameterizedTest
    @CsvSource({
        "400, INTERNAL",
        "401, UNAUTHENTICATED",
        "403, PERMISSION_DENIED",
        "404, UNIMPLEMENTED",
        "418, UNKNOWN",
        "429, UNAVAILABLE",
        "431, INTERNAL",
        "500, UNKNOWN",
        "502, UNAVAILABLE",
        "503, UNAVAILABLE",
        "504, UNAVAILABLE",
        "0, UNKNOWN"
    })
    void anAnswerOfAnotherHttpStatusIsNotGrpc(int http, Status.Code code) {
        Status flaw = Objects.requireNonNull(flaw(http, "application/grpc"));

        assertThat(flaw.getCode()).isEqualTo(code);
        assertThat(flaw.getDescription()).contains("HTTP " + http);
    }

    @Test
    void anAnswerOfAnotherTypeIsNotGrpc() {
        assertThat(flaw(200, "application/grpc")).isNull();
        assertThat(flaw(200, "application/grpc+proto")).isNull();
        assertThat(flaw(200, "text/html")).isNotNull();
        assertThat(flaw(200, null)).isNotNull();
    }

    private static @Nullable Status flaw(int http, @Nullable String type) {
        Metadata metadata = new Metadata();
        if (type != null) {
            metadata.put(CONTENT_TYPE, type);
        }
        return CallStatuses.unlessGrpc(new HeaderBlocks.ResponseFields(http, metadata));
    }

    @Test
    void trailersAreTheirStatusAndTheRest() {
        Metadata trailers = new Metadata();
        trailers.put(STATUS, "5");
        trailers.put(MESSAGE, "a%20b + 100%25 %C3%A4");
        trailers.put(CONTENT_TYPE, "kept");

        Status status = CallStatuses.ofTrailers(trailers);

        assertThat(status.getCode()).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(status.getDescription()).isEqualTo("a b + 100% ä");
        assertThat(trailers.keys()).containsExactly("content-type");
    }

    @ParameterizedTest
    @CsvSource({"%", "100%", "%zz", "%4"})
    void aMessageThatIsNotPercentEncodedStaysAsItIs(String message) {
        Metadata trailers = new Metadata();
        trailers.put(STATUS, "2");
        trailers.put(MESSAGE, message);

        assertThat(CallStatuses.ofTrailers(trailers).getDescription()).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({"77", "-1", "two", "''", "99999999999"})
    void aStatusThatIsNoneOfGrpcsIsUnknown(String code) {
        Metadata trailers = new Metadata();
        trailers.put(STATUS, code);

        assertThat(CallStatuses.ofTrailers(trailers).getCode()).isEqualTo(Status.Code.UNKNOWN);
    }

    @Test
    void trailersWithoutAStatusAreNoSuccess() {
        Status status = CallStatuses.ofTrailers(new Metadata());

        assertThat(status.getCode()).isEqualTo(Status.Code.UNKNOWN);
        assertThat(status.getDescription()).contains("no grpc-status");
    }

    @Property(tries = 1000)
    void aTimeoutHasEightDigitsAndIsNeverShorterThanTheTimeThatIsLeft(
            @ForAll @LongRange(min = 1, max = 99_000_000_000_000_000L) long left) {
        String timeout = CallStatuses.timeout(left);

        assertThat(timeout).matches("[0-9]{1,8}[numS]");
        long amount = Long.parseLong(timeout.substring(0, timeout.length() - 1));
        TimeUnit unit = UNITS.getOrDefault(timeout.charAt(timeout.length() - 1), TimeUnit.DAYS);
        assertThat(unit.toNanos(amount)).isGreaterThanOrEqualTo(left);
        assertThat(unit.toNanos(amount - 1)).as("rounded by less than a unit").isLessThan(left);
    }

    @Test
    void aDeadlineThatHasPassedIsTheShortestTimeout() {
        assertThat(CallStatuses.timeout(0)).isEqualTo("1n");
        assertThat(CallStatuses.timeout(-5)).isEqualTo("1n");
    }

    @Test
    void aDeadlineBeyondAllUnitsIsTheLongestTimeout() {
        assertThat(CallStatuses.timeout(Long.MAX_VALUE)).isEqualTo("99999999S");
    }
}
