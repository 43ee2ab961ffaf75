package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.BadRequest;
import com.google.rpc.RetryInfo;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.KvStoreException.FieldViolation;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The details of failures, whatever a server puts into them. */
class ErrorDetailsTest {
    private static com.google.rpc.Status.Builder status(Status.Code code) {
        return com.google.rpc.Status.newBuilder().setCode(code.value()).setMessage("it says so");
    }

    private static Any delay(long seconds, int nanos) {
        return Any.pack(RetryInfo.newBuilder()
                .setRetryDelay(com.google.protobuf.Duration.newBuilder()
                        .setSeconds(seconds)
                        .setNanos(nanos))
                .build());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OK")
    void eachOfGrpcsCodesIsOneOfTheSdks(Status.Code code) {
        assertThat(Errors.of(status(code).build()).code()).isEqualTo(ErrorCode.valueOf(code.name()));
        assertThat(Errors.code(code).name()).isEqualTo(code.name());
    }

    @Test
    void aFailureThatCallsItselfASuccessIsUnknown() {
        assertThat(Errors.of(status(Status.Code.OK).build()).code()).isEqualTo(ErrorCode.UNKNOWN);
    }

    @Property(tries = 200)
    void aCodeThatNobodyKnowsIsUnknown(@ForAll int code) {
        ErrorCode read = Errors.of(
                        com.google.rpc.Status.newBuilder().setCode(code).build())
                .code();

        assertThat(read == ErrorCode.UNKNOWN).isEqualTo(code < 1 || code > 16 || code == 2);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, PT0S",
        "1, 500000000, PT1.5S",
        "-1, 0, PT0S",
        "1, -1, PT1S",
        "1, 2000000000, PT1.999999999S",
        "86400, 0, P1D",
        "86401, 0, P1D",
        "9223372036854775807, 0, P1D",
        "-9223372036854775808, -2147483648, PT0S"
    })
    void aRetryDelayIsKeptWithinItsBounds(long seconds, int nanos, Duration read) {
        KvStoreException failure = Errors.of(status(Status.Code.UNAVAILABLE)
                .addDetails(delay(seconds, nanos))
                .build());

        assertThat(failure.retryDelay()).isEqualTo(read);
    }

    @Test
    void fieldsThatAreViolatedAreNamed() {
        BadRequest bad = BadRequest.newBuilder()
                .addFieldViolations(BadRequest.FieldViolation.newBuilder()
                        .setField("partition")
                        .setDescription("is empty"))
                .build();

        KvStoreException failure = Errors.of(
                status(Status.Code.INVALID_ARGUMENT).addDetails(Any.pack(bad)).build());

        assertThat(failure.violations()).containsExactly(new FieldViolation("partition", "is empty"));
        assertThat(failure.retryDelay()).isNull();
    }

    @Test
    void detailsThatCannotBeReadLeaveTheCode() {
        Any unreadable = delay(1, 0).toBuilder()
                .setValue(ByteString.copyFrom(new byte[] {(byte) 0xFF}))
                .build();

        KvStoreException failure = Errors.of(
                status(Status.Code.RESOURCE_EXHAUSTED).addDetails(unreadable).build());

        assertThat(failure.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
        assertThat(failure).hasMessageContaining("it says so").hasMessageContaining("details unreadable");
    }

    @Test
    void detailsOfAnotherKindAreIgnored() {
        KvStoreException failure = Errors.of(status(Status.Code.NOT_FOUND)
                .addDetails(Any.pack(com.google.protobuf.Empty.getDefaultInstance()))
                .build());

        assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(failure.violations()).isEmpty();
    }

    @Test
    void detailsInTheTrailersBelongToTheirStatus() {
        Metadata trailers = StatusProto.toStatusException(
                        status(Status.Code.UNAVAILABLE).addDetails(delay(3, 0)).build())
                .getTrailers();

        assertThat(Errors.of(Status.UNAVAILABLE, trailers).retryDelay()).isEqualTo(Duration.ofSeconds(3));
        assertThat(Errors.of(Status.NOT_FOUND.withDescription("another"), trailers))
                .hasMessage("NOT_FOUND: another")
                .satisfies(e -> assertThat(e.retryDelay()).isNull());
        assertThat(Errors.of(Status.UNAVAILABLE.withCause(new IOException("the connection's own")), trailers)
                        .retryDelay())
                .as("the network's failure has none")
                .isNull();
    }

    @Test
    void aCallThatTheServerDroppedMayBeServedByAnother() {
        KvStoreException failure = Errors.of(Status.CANCELLED.withDescription("going away"), null);

        assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failure.retryable()).isTrue();
    }

    @Test
    void aFailureWithoutWordsSaysSo() {
        assertThat(Errors.of(Status.ABORTED.withCause(new IOException("why")), null))
                .hasMessage("ABORTED: no description (why)");
    }

    @Test
    void aFailureOfThisClientKeepsItsCause() {
        IllegalStateException cause = new IllegalStateException("odd");

        KvStoreException failure = Errors.broken("the writer", cause);

        assertThat(failure)
                .hasMessageStartingWith("INTERNAL: the writer failed")
                .hasCause(cause);
        assertThat(Errors.broken("a call", new IllegalStateException(new OutOfMemoryError("no memory")))
                        .code())
                .isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
    }

    @Test
    void anInterruptedThreadStaysMarked() {
        KvStoreException failure = Errors.interrupted();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure.code()).isEqualTo(ErrorCode.CANCELLED);
    }
}
