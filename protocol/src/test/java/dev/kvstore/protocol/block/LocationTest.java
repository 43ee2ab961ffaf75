package dev.kvstore.protocol.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LocationTest {
    private static final Location LOCATION = new Location(new BlockHash(1, 2, 3, 4), new BlockHash(5, 6, 7, 8));

    @Property
    void aLocationIsVersionRootAndHash(@ForAll @Size(32) byte[] root, @ForAll @Size(32) byte[] hash) {
        ByteString wire = WireNames.field(new Location(BlockHash.of(root), BlockHash.of(hash)));

        assertThat(wire)
                .isEqualTo(ByteString.copyFrom(new byte[] {1})
                        .concat(ByteString.copyFrom(root))
                        .concat(ByteString.copyFrom(hash)));
        assertThat(WireNames.location(wire)).isEqualTo(new Location(BlockHash.of(root), BlockHash.of(hash)));
    }

    @Test
    void aLocationIsReadFromTheMiddleOfAMessage() {
        ByteString message = ByteString.copyFromUtf8("before").concat(WireNames.field(LOCATION));

        assertThat(WireNames.location(message.substring(6))).isEqualTo(LOCATION);
    }

    @Test
    void aLocationIsTheBytesThatItGives() {
        assertThat(Location.of(LOCATION.toBytes())).isEqualTo(LOCATION);
    }

    @Test
    void aLocationIsReadAtABuffersPositionWhateverItsOrderOfBytes() {
        ByteBuffer buffer = ByteBuffer.allocate(3 + Location.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.position(3).put(LOCATION.toBytes()).position(3);

        assertThat(Location.of(buffer)).isEqualTo(LOCATION);
        assertThat(buffer.position()).isEqualTo(3);
    }

    @Test
    void anotherLengthIsRefused() {
        assertThatThrownBy(() -> WireNames.location(WireNames.field(LOCATION).substring(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a location has 65 bytes, not 64");
        assertThatThrownBy(() -> WireNames.location(ByteString.EMPTY)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] wire = WireNames.field(LOCATION).toByteArray();
        wire[0] = (byte) 200;

        assertThatThrownBy(() -> WireNames.location(ByteString.copyFrom(wire)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("location version 200 is unknown; this is version 1");
    }
}
