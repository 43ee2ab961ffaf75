package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ErrorsTest {
    @Test
    void aConnectionThatBrokeUnderACallIsUnavailableAndMayBeTriedAgain() {
        KvStoreException error = Errors.of(
                Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException()),
                new Metadata());

        assertThat(error.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(error.retryable()).isTrue();
        assertThat(error).hasMessageContaining("the connection broke: channel closed");
    }

    @Test
    void memoryThatThisProcessLacksIsALimitOfItsOwn() {
        Throwable cause = new IllegalStateException(new OutOfMemoryError("failed to allocate"));

        KvStoreException error =
                Errors.of(Status.UNAVAILABLE.withDescription("io exception").withCause(cause), new Metadata());

        assertThat(error.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
        assertThat(error)
                .hasMessageContaining("this process, not the server")
                .hasMessageContaining("failed to allocate");
    }

    @Test
    void anUnknownErrorOfTheServerStaysOne() {
        KvStoreException error = Errors.of(Status.UNKNOWN.withDescription("odd"), new Metadata());

        assertThat(error.code()).isEqualTo(ErrorCode.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource(value = Status.Code.class, mode = EnumSource.Mode.EXCLUDE, names = "OK")
    void aStatusWithoutWordsIsSaidToHaveNone(Status.Code code) {
        assertThat(Errors.of(code.toStatus(), new Metadata())).hasMessageContaining("no description");
        assertThat(Errors.of(
                        com.google.rpc.Status.newBuilder().setCode(code.value()).build()))
                .hasMessageContaining("no description");
    }
}
