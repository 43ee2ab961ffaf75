package dev.kvstore.protocol.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LocationTest {
    private static final Location LOCATION = new Location(new BlockHash(1, 2, 3, 4), new BlockHash(5, 6, 7, 8));

    @Property
    void aLocationIsVersionRootAndHash(@ForAll @Size(32) byte[] root, @ForAll @Size(32) byte[] hash) {
        ByteString wire = new Location(BlockHash.of(root), BlockHash.of(hash)).toByteString();

        assertThat(wire)
                .isEqualTo(ByteString.copyFrom(new byte[] {1})
                        .concat(ByteString.copyFrom(root))
                        .concat(ByteString.copyFrom(hash)));
        assertThat(Location.of(wire)).isEqualTo(new Location(BlockHash.of(root), BlockHash.of(hash)));
    }

    @Test
    void aLocationIsReadFromTheMiddleOfAMessage() {
        ByteString message = ByteString.copyFromUtf8("before").concat(LOCATION.toByteString());

        assertThat(Location.of(message.substring(6))).isEqualTo(LOCATION);
    }

    @Test
    void anotherLengthIsRefused() {
        assertThatThrownBy(() -> Location.of(LOCATION.toByteString().substring(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a location has 65 bytes, not 64");
        assertThatThrownBy(() -> Location.of(ByteString.EMPTY)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] wire = LOCATION.toByteString().toByteArray();
        wire[0] = (byte) 200;

        assertThatThrownBy(() -> Location.of(ByteString.copyFrom(wire)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("location version 200 is unknown; this is version 1");
    }
}
