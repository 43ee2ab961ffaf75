package dev.kvstore.dataplane.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RightsTest {
    private static final Instant END = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void anOwnerMayDoEverythingForEver() {
        assertThat(Rights.ALL.everywhere(Access.READ)).isTrue();
        assertThat(Rights.ALL.everywhere(Access.WRITE)).isTrue();
        assertThat(Rights.ALL.at(Instant.MAX)).isSameAs(Rights.ALL);
    }

    @Test
    void readingIsNotWriting() {
        Rights rights = Rights.of(List.of(new Right(Access.READ, null, null)));

        assertThat(rights.in("p", Access.READ)).isTrue();
        assertThat(rights.in("p", Access.WRITE)).isFalse();
    }

    @Test
    void aRightForAPartitionIsForNoOther() {
        Rights rights = Rights.of(List.of(new Right(Access.READ, "p", null)));

        assertThat(rights.everywhere(Access.READ)).isFalse();
        assertThat(rights.somewhere(Access.READ)).isTrue();
        assertThat(rights.in("p", Access.READ)).isTrue();
        assertThat(rights.in("q", Access.READ)).isFalse();
        assertThat(rights.somewhere(Access.WRITE)).isFalse();
    }

    @Test
    void eachRightEndsByItself() {
        Rights rights = Rights.of(List.of(
                new Right(Access.READ, null, null),
                new Right(Access.WRITE, null, END),
                new Right(Access.WRITE, "p", END.plusSeconds(1))));

        assertThat(rights.at(END.minusNanos(1))).isSameAs(rights);
        assertThat(rights.at(END).everywhere(Access.WRITE)).isFalse();
        assertThat(rights.at(END).in("p", Access.WRITE)).isTrue();
        assertThat(rights.at(END.plusSeconds(1)).in("p", Access.WRITE)).isFalse();
        assertThat(rights.at(END.plusSeconds(1)).isEmpty()).isFalse();
    }

    @Test
    void whenTheLastHasEndedNoneIsLeft() {
        assertThat(Rights.of(List.of(new Right(Access.READ, null, END))).at(END).isEmpty())
                .isTrue();
    }
}
