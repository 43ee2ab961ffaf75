package dev.kvstore.simulation.fleet;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Copies the bytes of messages as they are sent, so that the sender may use their memory again. */
final class CopiedBytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] bytes) {
        return new ReceivedBytes(bytes);
    }

    @Override
    public byte[] parse(InputStream bytes) {
        try (bytes) {
            return bytes instanceof KnownLength ? bytes.readNBytes(bytes.available()) : bytes.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class ReceivedBytes extends ByteArrayInputStream implements KnownLength {
        ReceivedBytes(byte[] bytes) {
            super(bytes);
        }
    }
}
