package dev.kvstore.testing.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTest {
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "two\nlines", "##tests Passed", "ä€😀"})
    void survivesALineWhateverItsTextsAre(String text) {
        for (Event event : new Event[] {
            new Event.ClassStarted(text),
            new Event.Passed(text),
            new Event.Generated(text, 1_000),
            new Event.Failed(text, text, text, text),
            new Event.Skipped(text, text, text),
            new Event.UnitEnded()
        }) {
            assertThat(event.line().lines()).hasSize(1);
            assertThat(Event.parse(event.line())).contains(event);
        }
    }

    @Test
    void isFoundBehindWhatATestLeftOnTheLine() {
        assertThat(Event.parse("half a line" + new Event.Passed("A").line())).contains(new Event.Passed("A"));
    }

    @Test
    void isNothingElse() {
        assertThat(Event.parse("a line of a program that a test has started")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Assumption failed: assumption is not true", "void dev.kvstore.SomeTest.some() is @Disabled"
            })
    void aSkipIsSilentWhenItSaysNothingOfItsOwn(String reason) {
        assertThat(new Event.Skipped("A", "b()", reason).isSilent()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no browser",
                "Assumption failed: no browser",
                "assumption was not met due to: [no browser] \nExpecting actual:\n  \"[]\"\n"
            })
    void aSkipsReasonIsItsOwnWords(String reason) {
        assertThat(new Event.Skipped("A", "b()", reason).reasonOrSilence()).isEqualTo("no browser");
    }
}
