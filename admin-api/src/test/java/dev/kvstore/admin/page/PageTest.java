package dev.kvstore.admin.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link Page}: how many items it has. */
class PageTest {
    @Test
    void itHasAsManyItemsAsItsCallerAskedForIfTheyAreSmall() {
        assertThat(Page.fitting(Collections.nCopies(101, 1_000L), 100)).isEqualTo(100);
        assertThat(Page.fitting(Collections.nCopies(7, 1_000L), 100)).isEqualTo(7);
    }

    @Test
    void itHasFewerItemsThatAreLarge() {
        assertThat(Page.fitting(Collections.nCopies(101, Page.MOST_BYTES / 4), 100))
                .isEqualTo(4);
    }

    @Test
    void itHasOneItemHoweverLargeThatIs() {
        assertThat(Page.fitting(List.of(100 * Page.MOST_BYTES, 1L), 100)).isEqualTo(1);
    }
}
