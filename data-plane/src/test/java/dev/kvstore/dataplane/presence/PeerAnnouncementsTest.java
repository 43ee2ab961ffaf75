package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class PeerAnnouncementsTest {
    private static final long KEPT = PeerAnnouncements.KEPT.toNanos();

    private final PeerAnnouncements hearsay = new PeerAnnouncements();

    @Test
    void whatWasHeardIsHereUntilLogsMustSayIt() {
        hearsay.add(List.of(1L), 0);

        hearsay.expire(KEPT - 1);
        assertThat(hearsay.contains(1)).isTrue();
        hearsay.expire(KEPT);
        assertThat(hearsay.contains(1)).isFalse();
    }

    @Test
    void whatStorageDisprovesIsNotBelieved() {
        hearsay.add(List.of(1L), 10);

        hearsay.disprove(1);

        assertThat(hearsay.contains(1)).isFalse();
    }

    @Test
    void moreThanThereIsRoomForIsNotTaken() {
        List<Long> many =
                LongStream.range(0, PeerAnnouncements.MAX_KEYS + 10).boxed().toList();

        assertThat(hearsay.add(many, 0)).isEqualTo(PeerAnnouncements.MAX_KEYS);
        assertThat(hearsay.add(List.of(-1L), KEPT - 1)).isZero();
    }

    @Test
    void whatIsOldMakesRoom() {
        hearsay.add(LongStream.range(0, PeerAnnouncements.MAX_KEYS).boxed().toList(), 0);

        assertThat(hearsay.add(List.of(-1L), KEPT)).isEqualTo(1);
        assertThat(hearsay.contains(0)).isFalse();
    }
}
