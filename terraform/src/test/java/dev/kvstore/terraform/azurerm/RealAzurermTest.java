package dev.kvstore.terraform.azurerm;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.terraform.plugin.Diagnostic;
import dev.kvstore.terraform.plugin.GetProviderSchema;
import dev.kvstore.terraform.plugin.Schema;
import dev.kvstore.terraform.plugin.Schema.Attribute;
import dev.kvstore.terraform.plugin.Schema.Block;
import dev.kvstore.terraform.plugin.Schema.NestedBlock;
import dev.kvstore.terraform.plugin.Schema.NestedBlock.NestingMode;
import dev.kvstore.terraform.plugin.ValidateConfig;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stand-in is held against a provider; here against a second stand-in, which has a table of its own. */
class RealAzurermTest {
    private static final Block BLOCK = Block.newBuilder()
            .addAttributes(attribute("name", "\"string\"").setRequired(true))
            .addAttributes(attribute("sku", "\"string\"").setOptional(true))
            .addAttributes(attribute("size", "\"number\"").setOptional(true))
            .addAttributes(attribute("zones", "[\"set\",\"string\"]").setOptional(true))
            .addBlockTypes(NestedBlock.newBuilder()
                    .setTypeName("card")
                    .setNesting(NestingMode.LIST)
                    .setMaxItems(1)
                    .setBlock(Block.newBuilder()
                            .addAttributes(attribute("id", "\"string\"").setRequired(true))
                            .addAttributes(attribute("mode", "\"string\"").setOptional(true))))
            .build();

    @TempDir
    Path folder;

    @Test
    void rulesThatAzurermHasAreNoDifferences() throws IOException {
        String rules = """
                  sku  one of Basic, Standard
                  sku  Standard needs zones
                  sku  Basic not with card
                  size  between 2 and 10
                  zones  one of 1, 2, 3
                  card.mode  matches P(T[0-9]+[SMH]|[0-9]+D)
                """;

        assertThat(compare(rules, rules).differences()).isEmpty();
        assertThat(compare(rules, rules).rules()).isEqualTo(6);
    }

    @Test
    void aWordThatAzurermRefusesIsFoundWithTheLine() throws IOException {
        assertThat(compare("  sku  one of Basic, Gold\n", "  sku  one of Basic, Standard\n")
                        .differences())
                .singleElement()
                .asString()
                .startsWith("azurerm.values:2: azurerm_thing sku: azurerm refuses {sku=Gold}: [");
    }

    @Test
    void aRuleThatAzurermDoesNotHaveIsFound() throws IOException {
        assertThat(compare("  card.mode  one of A, B\n", "").differences())
                .containsExactly("azurerm.values:2: azurerm_thing card.mode: azurerm takes {mode=Nonsense}");
    }

    @Test
    void limitsThatAreTooNarrowOrTooWideAreFound() throws IOException {
        assertThat(compare("  size  between 2 and 10\n", "  size  between 1 and 9\n")
                        .differences())
                .hasSize(2)
                .anySatisfy(found -> assertThat(found).endsWith("azurerm takes {size=1}"))
                .anySatisfy(found -> assertThat(found).contains("azurerm refuses {size=10}"));
    }

    @Test
    void aFormThatTakesWhatAzurermRefusesIsFound() throws IOException {
        assertThat(compare("  sku  matches [a-z]{1,12}\n", "  sku  matches [a-z]{1,11}\n")
                        .differences())
                .singleElement()
                .asString()
                .contains("azurerm refuses {sku=aaaaaaaaaaaa}");
    }

    @Test
    void argumentsThatAzurermTakesTogetherAreFound() throws IOException {
        assertThat(compare("  sku  not with card\n  sku  Basic needs zones\n", "")
                        .differences())
                .hasSize(2)
                .anySatisfy(
                        found -> assertThat(found).contains("azurerm takes {").contains("card=any"))
                .anySatisfy(found -> assertThat(found).endsWith("azurerm takes {sku=Basic}"));
    }

    @Test
    void aWordThatTheTableDoesNotHaveIsReadFromAzurermsError() throws IOException {
        StubService real = new StubService(schemas(BLOCK), values("")) {
            @Override
            public void validateResourceTypeConfig(
                    ValidateConfig.Request request, StreamObserver<ValidateConfig.Response> observer) {
                ValidateConfig.Response.Builder response = ValidateConfig.Response.newBuilder();
                if (request.getConfig().getMsgpack().toStringUtf8().contains("Nonsense")) {
                    response.addDiagnosticsBuilder()
                            .setSeverity(Diagnostic.Severity.ERROR)
                            .setSummary("expected sku to be one of [\"Basic\" \"Premium\"], got Nonsense");
                }
                answer(observer, response.build());
            }
        };

        try (AzurermStub azurerm = AzurermStub.start(real)) {
            assertThat(RealAzurerm.compare(azurerm, schemas(BLOCK), values("  sku  one of Basic\n"))
                            .differences())
                    .containsExactly("azurerm.values:2: azurerm_thing sku: azurerm takes Premium as well");
        }
    }

    @Test
    void aRuleThatIsMarkedIsOneThatAzurermTakesUntilItPlans() throws IOException {
        String marked = "  sku  one of Basic  (at plan)\n";

        assertThat(compare(marked, "").differences()).isEmpty();
        assertThat(compare(marked, marked).differences())
                .singleElement()
                .asString()
                .contains("already when it validates: the mark behind the rule is wrong");
    }

    @Test
    void anArgumentThatAzurermDoesNotHaveIsFound() throws IOException {
        assertThat(compare("  skew  one of Basic\n", "").differences())
                .containsExactly("azurerm.values:2: azurerm_thing skew: azurerm has no argument skew");
    }

    @Test
    void schemasThatDifferAreFound() throws IOException {
        Block.Builder other = BLOCK.toBuilder();
        other.getAttributesBuilder(1).setRequired(true).setOptional(false);
        other.getAttributesBuilder(2).setType(ByteString.copyFromUtf8("\"string\""));
        other.getBlockTypesBuilder(0).setMaxItems(0);
        other.addAttributes(attribute("tier", "\"string\"").setOptional(true));

        assertThat(compare(schemas(BLOCK), schemas(other.build())))
                .containsExactly(
                        "azurerm_thing.card: azurerm says a block, LIST of 0 to 0, the stand-in a block, LIST of 0 to 1",
                        "azurerm_thing.size: azurerm says optional \"string\", the stand-in optional \"number\"",
                        "azurerm_thing.sku: azurerm says required \"string\", the stand-in optional \"string\"",
                        "azurerm_thing.tier: azurerm says optional \"string\", the stand-in nothing");
    }

    private RealAzurerm.Comparison compare(String ours, String real) throws IOException {
        try (AzurermStub azurerm = AzurermStub.start(new StubService(schemas(BLOCK), values(real)))) {
            return RealAzurerm.compare(azurerm, schemas(BLOCK), values(ours));
        }
    }

    private List<String> compare(Schemas ours, Schemas real) throws IOException {
        try (AzurermStub azurerm = AzurermStub.start(new StubService(real, values("")))) {
            return RealAzurerm.compare(azurerm, ours, values("")).differences();
        }
    }

    private AllowedValues values(String rules) throws IOException {
        Path table = folder.resolve("azurerm.values");
        Files.writeString(table, "azurerm_thing https://example.com/thing\n" + rules);
        return AllowedValues.read(table);
    }

    private static Schemas schemas(Block block) {
        return new Schemas(GetProviderSchema.Response.newBuilder()
                .putResourceSchemas(
                        "azurerm_thing", Schema.newBuilder().setBlock(block).build())
                .build());
    }

    private static Attribute.Builder attribute(String name, String type) {
        return Attribute.newBuilder().setName(name).setType(ByteString.copyFromUtf8(type));
    }
}
