package dev.kvstore.admin.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AffectedTest {
    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
    }

    @Test
    void fewAreNamed() {
        Affected affected = new Affected(names(600), names(400));

        assertThat(affected.keyIds()).hasSize(600);
        assertThat(affected.resourceNames()).hasSize(400);
    }

    @Test
    void manyAreEverybody() {
        Affected affected = new Affected(names(600), names(401));

        assertThat(affected.keyIds()).isEmpty();
        assertThat(affected.resourceNames()).containsExactly(Affected.ALL);
    }
}
