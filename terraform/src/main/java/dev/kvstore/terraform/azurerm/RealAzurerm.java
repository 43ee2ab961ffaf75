package dev.kvstore.terraform.azurerm;

import dev.kvstore.terraform.plugin.GetProviderSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Holds the stand-in against an azurerm that is real. */
public final class RealAzurerm {
    private RealAzurerm() {}

    /**
     * The result of a comparison.
     *
     * @param rules how many of the table
     * @param schemas how many of resources
     * @param differences of both, in words
     */
    public record Comparison(int rules, int schemas, List<String> differences) {
        public Comparison {
            differences = List.copyOf(differences);
        }
    }

    /**
     * Compares the stand-in's table and schemas with those of a real azurerm.
     *
     * @param types names of resources and data sources that configurations use
     * @throws IOException if the stand-in's schemas cannot be made; the message says why
     */
    public static Comparison compare(RunningAzurerm azurerm, Set<String> types)
            throws IOException, InterruptedException {
        return compare(azurerm, AzurermStub.schemas(types), AzurermStub.values());
    }

    static Comparison compare(RunningAzurerm azurerm, Schemas schemas, AllowedValues values) throws IOException {
        try (AzurermClient client = new AzurermClient(azurerm)) {
            GetProviderSchema.Response real = client.schemas();
            List<String> differences = new ArrayList<>(SchemaDifferences.between(schemas.answer(), real));
            differences.addAll(new TableTrial(values, real, client).disagreements());
            return new Comparison(
                    values.lines().values().stream().mapToInt(List::size).sum(),
                    schemas.answer().getResourceSchemasCount(),
                    differences);
        }
    }
}
