package dev.kvstore.terraform.azurerm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.terraform.azurerm.AllowedValues.RefusedValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllowedValuesTest {
    @TempDir
    Path folder;

    @Test
    void aWordThatIsNotAmongThoseIsRefusedWithThePage() throws IOException {
        assertThat(check("sku  one of Basic, Standard", Map.of("sku", "Standrd")))
                .containsExactly(new RefusedValue(
                        List.of("sku"),
                        "sku must be one of Basic, Standard, not \"Standrd\" (https://example.com/thing)"));
        assertThat(check("sku  one of Basic, Standard", Map.of("sku", "Standard")))
                .isEmpty();
    }

    @Test
    void eachElementOfASetMustBeAmongTheWords() throws IOException {
        assertThat(check("zones  one of 1, 2, 3", Map.of("zones", List.of("1", "4"))))
                .hasSize(1);
        assertThat(check("zones  one of 1, 2, 3", Map.of("zones", List.of("1", "2"))))
                .isEmpty();
    }

    @Test
    void aNumberOutsideIsRefusedAndTheEndsAreNot() throws IOException {
        String rule = "minutes  between 4 and 100";

        assertThat(check(rule, Map.of("minutes", 3L))).hasSize(1);
        assertThat(check(rule, Map.of("minutes", 4L))).isEmpty();
        assertThat(check(rule, Map.of("minutes", 100L))).isEmpty();
        assertThat(check(rule, Map.of("minutes", 100.5))).hasSize(1);
    }

    @Test
    void aTextOfAnotherFormIsRefused() throws IOException {
        assertThat(check("timeout  matches PT([5-9]|1[0-5])M", Map.of("timeout", "PT4M")))
                .hasSize(1);
        assertThat(check("timeout  matches PT([5-9]|1[0-5])M", Map.of("timeout", "PT15M")))
                .isEmpty();
    }

    @Test
    void anArgumentNeedsAnotherOne() throws IOException {
        String rule = "group  needs single false";

        assertThat(check(rule, Map.of("group", "g"))).hasSize(1);
        assertThat(check(rule, Map.of("group", "g", "single", true))).hasSize(1);
        assertThat(check(rule, Map.of("group", "g", "single", false))).isEmpty();
        assertThat(check(rule, Map.of("single", true))).isEmpty();
    }

    @Test
    void anArgumentCannotBeBesideAnotherOne() throws IOException {
        String rule = "mode  Manual not with policy";

        assertThat(check(rule, Map.of("mode", "Manual", "policy", List.of(Map.of()))))
                .singleElement()
                .satisfies(refused ->
                        assertThat(refused.reason()).contains("mode = \"Manual\" cannot be where policy is set"));
        assertThat(check(rule, Map.of("mode", "Manual", "policy", List.of()))).isEmpty();
        assertThat(check(rule, Map.of("mode", "Rolling", "policy", List.of(Map.of()))))
                .isEmpty();
    }

    @Test
    void whatIsNotKnownYetIsGood() throws IOException {
        assertThat(check("sku  one of Basic", Map.of("sku", MessagePack.UNKNOWN)))
                .isEmpty();
        assertThat(check("group  needs single false", Map.of("group", "g", "single", MessagePack.UNKNOWN)))
                .isEmpty();
    }

    @Test
    void aBlockIsFoundByItsPlace() throws IOException {
        Map<String, Object> thing = Map.of("card", List.of(Map.of("mode", "A"), Map.of("mode", "C")));

        assertThat(check("card.mode  one of A, B", thing))
                .singleElement()
                .satisfies(refused -> assertThat(refused.path()).containsExactly("card", 1, "mode"));
    }

    @Test
    void aTableThatIsWrongSaysInWhichLine() {
        assertThatThrownBy(() -> check("sku  any of Basic", Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("azurerm.values:2")
                .hasMessageContaining("any of Basic");
        assertThatThrownBy(() -> check("sku one of Basic", Map.of())).hasMessageContaining("azurerm.values:2");
    }

    @Test
    void theTableOfThisCheckoutIsRead() throws IOException {
        assertThat(AzurermStub.values().check("azurerm_lb", Map.of("sku", "Standrd")))
                .hasSize(1);
    }

    private List<RefusedValue> check(String line, Map<String, ?> arguments) throws IOException {
        Path table = folder.resolve("azurerm.values");
        Files.writeString(table, "azurerm_thing https://example.com/thing\n  " + line + "\n");
        return AllowedValues.read(table).check("azurerm_thing", arguments);
    }
}
