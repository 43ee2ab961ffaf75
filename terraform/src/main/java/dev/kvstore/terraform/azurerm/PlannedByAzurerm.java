package dev.kvstore.terraform.azurerm;

import dev.kvstore.terraform.plugin.GetProviderSchema;
import dev.kvstore.terraform.plugin.PlanResourceChange;
import dev.kvstore.terraform.plugin.ValidateConfig;
import io.grpc.stub.StreamObserver;
import java.util.Set;

/** An Azure that pretends to apply, whose schemas, refusals and plans are those of a real azurerm. Thread-safe. */
final class PlannedByAzurerm extends PretendedAzure {
    private final AzurermClient azurerm;

    private PlannedByAzurerm(Schemas schemas, AllowedValues values, MadeUpValues made, AzurermClient azurerm) {
        super(schemas, values, made);
        this.azurerm = azurerm;
    }

    /**
     * Prepares it.
     *
     * @param types names of resources and data sources that configurations use
     * @param azurerm open as long as this is used
     */
    static PlannedByAzurerm of(Set<String> types, AllowedValues values, MadeUpValues made, AzurermClient azurerm) {
        GetProviderSchema.Response all = azurerm.schemas();
        GetProviderSchema.Response.Builder some =
                GetProviderSchema.Response.newBuilder().setProvider(all.getProvider());
        for (String type : types) {
            if (all.containsResourceSchemas(type)) {
                some.putResourceSchemas(type, all.getResourceSchemasOrThrow(type));
            }
            if (all.containsDataSourceSchemas(type)) {
                some.putDataSourceSchemas(type, all.getDataSourceSchemasOrThrow(type));
            }
        }
        return new PlannedByAzurerm(new Schemas(some.build()), values, made, azurerm);
    }

    @Override
    public void validateResourceTypeConfig(
            ValidateConfig.Request request, StreamObserver<ValidateConfig.Response> observer) {
        answer(observer, azurerm.validate(request));
    }

    @Override
    public void planResourceChange(
            PlanResourceChange.Request request, StreamObserver<PlanResourceChange.Response> observer) {
        answer(observer, azurerm.plan(request));
    }
}
