package dev.kvstore.terraform.azurerm;

import dev.kvstore.terraform.plugin.GetProviderSchema;
import dev.kvstore.terraform.plugin.PlanResourceChange;
import dev.kvstore.terraform.plugin.ValidateConfig;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An Azure that pretends to apply, whose schemas, refusals and plans are those of a real azurerm, as far as it plans
 * without Azure. Thread-safe.
 */
final class PlannedByAzurerm extends PretendedAzure {
    private final RestartedAzurerm azurerm;

    private PlannedByAzurerm(Schemas schemas, AllowedValues values, MadeUpValues made, RestartedAzurerm azurerm) {
        super(schemas, values, made);
        this.azurerm = azurerm;
    }

    /**
     * Prepares it.
     *
     * @param types names of resources and data sources that configurations use
     * @param azurerm open as long as this is used
     */
    static PlannedByAzurerm of(Set<String> types, AllowedValues values, MadeUpValues made, RestartedAzurerm azurerm) {
        GetProviderSchema.Response all = azurerm.ask(AzurermClient::schemas);
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
        answer(observer, azurerm.ask(client -> client.validate(request)));
    }

    @Override
    public void planResourceChange(
            PlanResourceChange.Request request, StreamObserver<PlanResourceChange.Response> observer) {
        PlanResourceChange.Response plan = azurerm.plan(request);
        if (plan == null) {
            super.planResourceChange(request, observer);
        } else {
            Object planned = MessagePack.read(plan.getPlannedState().getMsgpack());
            Object prior = MessagePack.read(request.getPriorState().getMsgpack());
            answer(
                    observer,
                    plan.toBuilder()
                            .setPlannedState(dynamic(MessagePack.write(withoutEmptyTexts(planned, prior))))
                            .build());
        }
    }

    /** A real apply leaves empty texts where nothing is set; the pretended one leaves nothing, and that is no change. */
    private static @Nullable Object withoutEmptyTexts(@Nullable Object planned, @Nullable Object prior) {
        if (planned instanceof Map<?, ?> after && prior instanceof Map<?, ?> before) {
            Map<String, @Nullable Object> kept = new LinkedHashMap<>();
            after.forEach((name, value) -> kept.put(
                    String.valueOf(name),
                    "".equals(value) && before.get(name) == null ? null : withoutEmptyTexts(value, before.get(name))));
            return kept;
        }
        if (planned instanceof List<?> after && prior instanceof List<?> before && after.size() == before.size()) {
            List<@Nullable Object> kept = new ArrayList<>();
            for (int i = 0; i < after.size(); i++) {
                kept.add(withoutEmptyTexts(after.get(i), before.get(i)));
            }
            return kept;
        }
        return planned;
    }
}
