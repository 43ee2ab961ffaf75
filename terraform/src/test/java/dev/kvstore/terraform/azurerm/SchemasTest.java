package dev.kvstore.terraform.azurerm;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.terraform.plugin.Schema;
import dev.kvstore.terraform.plugin.Schema.Attribute;
import dev.kvstore.terraform.plugin.Schema.Block;
import dev.kvstore.terraform.plugin.Schema.NestedBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemasTest {
    private static final Block CARD = Block.newBuilder()
            .addAttributes(attribute("mode"))
            .addAttributes(attribute("address"))
            .build();

    @TempDir
    Path folder;

    @Test
    void whatTheTableSaysIsFilledInIsComputed() throws IOException {
        Block thing = schemas("  policy  filled in\n  card.address  filled in\n  card  at most 8\n")
                .answer()
                .getResourceSchemasOrThrow("azurerm_thing")
                .getBlock();

        assertThat(thing.getAttributesList()).extracting(Attribute::getComputed).containsExactly(false, true);
        assertThat(thing.getBlockTypes(0).getBlock().getAttributesList())
                .extracting(Attribute::getComputed)
                .containsExactly(false, true);
        assertThat(thing.getAttributes(1).getOptional()).isTrue();
        assertThat(thing.getBlockTypes(0).getMaxItems()).isEqualTo(8);
    }

    @Test
    void aBlockThatIsFilledInIsAnAttributeOfObjects() throws IOException {
        Block thing = schemas("  card  filled in\n")
                .answer()
                .getResourceSchemasOrThrow("azurerm_thing")
                .getBlock();

        assertThat(thing.getBlockTypesList()).isEmpty();
        assertThat(thing.getAttributes(2).getType().toStringUtf8())
                .isEqualTo("[\"list\",[\"object\",{\"address\":\"string\",\"mode\":\"string\"}]]");
        assertThat(thing.getAttributes(2).getComputed()).isTrue();
    }

    @Test
    void aNameThatAzurermDoesNotHaveIsLeftOut() throws IOException {
        assertThat(schemas("").answer().getResourceSchemasMap()).containsOnlyKeys("azurerm_thing");
    }

    private Schemas schemas(String rules) throws IOException {
        Path table = folder.resolve("azurerm.values");
        Files.writeString(table, "azurerm_thing https://example.com/thing\n" + rules);
        Path archive = folder.resolve("schemas.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            zip.putNextEntry(new ZipEntry("provider"));
            Schema.getDefaultInstance().writeTo(zip);
            zip.putNextEntry(new ZipEntry("resource/azurerm_thing"));
            Schema.newBuilder()
                    .setBlock(Block.newBuilder()
                            .addAttributes(attribute("sku"))
                            .addAttributes(attribute("policy"))
                            .addBlockTypes(
                                    NestedBlock.newBuilder().setTypeName("card").setBlock(CARD)))
                    .build()
                    .writeTo(zip);
        }
        return Schemas.read(archive, Set.of("azurerm_thing", "azurerm_no_such_thing"), AllowedValues.read(table));
    }

    private static Attribute attribute(String name) {
        return Attribute.newBuilder()
                .setName(name)
                .setType(ByteString.copyFromUtf8("\"string\""))
                .setOptional(true)
                .build();
    }
}
