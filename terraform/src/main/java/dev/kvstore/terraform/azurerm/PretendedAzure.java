package dev.kvstore.terraform.azurerm;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.kvstore.terraform.plugin.ApplyResourceChange;
import dev.kvstore.terraform.plugin.AttributePath;
import dev.kvstore.terraform.plugin.Configure;
import dev.kvstore.terraform.plugin.DynamicValue;
import dev.kvstore.terraform.plugin.PlanResourceChange;
import dev.kvstore.terraform.plugin.ReadDataSource;
import dev.kvstore.terraform.plugin.ReadResource;
import dev.kvstore.terraform.plugin.Schema;
import dev.kvstore.terraform.plugin.UpgradeResourceState;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An Azure that takes everything and keeps nothing but what Terraform's state has: for plans and applies over several
 * runs, which mocks of {@code terraform test} do not survive. What Azure would have computed is made up. Thread-safe.
 */
class PretendedAzure extends StubService {
    // Arguments of all resources that azurerm cannot change in place.
    private static final List<String> FIXED = List.of("name", "location", "resource_group_name");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final MadeUpValues made;

    PretendedAzure(Schemas schemas, AllowedValues values, MadeUpValues made) {
        super(schemas, values);
        this.made = made;
    }

    @Override
    public void configure(Configure.Request request, StreamObserver<Configure.Response> observer) {
        answer(observer, Configure.Response.getDefaultInstance());
    }

    @Override
    public void upgradeResourceState(
            UpgradeResourceState.Request request, StreamObserver<UpgradeResourceState.Response> observer) {
        try {
            Object state = JSON.readValue(request.getRawState().getJson().toByteArray(), Object.class);
            answer(
                    observer,
                    UpgradeResourceState.Response.newBuilder()
                            .setUpgradedState(dynamic(MessagePack.write(
                                    known(resource(request.getTypeName()), MadeUpValues.longs(state)))))
                            .build());
        } catch (IOException e) {
            observer.onError(Status.INVALID_ARGUMENT
                    .withDescription("the state is no JSON: " + e.getMessage())
                    .asException());
        }
    }

    // A state of a schema with other attributes: those that are gone go, those that came are null.
    static @Nullable Object known(Schema.Block block, @Nullable Object state) {
        if (!(state instanceof Map<?, ?> map)) {
            return state;
        }
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        block.getAttributesList().forEach(each -> result.put(each.getName(), map.get(each.getName())));
        block.getBlockTypesList()
                .forEach(each -> result.put(
                        each.getTypeName(),
                        map.get(each.getTypeName()) instanceof List<?> list
                                ? list.stream()
                                        .map(element -> known(each.getBlock(), element))
                                        .toList()
                                : known(each.getBlock(), map.get(each.getTypeName()))));
        return result;
    }

    @Override
    public void readResource(ReadResource.Request request, StreamObserver<ReadResource.Response> observer) {
        answer(
                observer,
                ReadResource.Response.newBuilder()
                        .setNewState(request.getCurrentState())
                        .build());
    }

    @Override
    public void planResourceChange(
            PlanResourceChange.Request request, StreamObserver<PlanResourceChange.Response> observer) {
        Object prior = MessagePack.read(request.getPriorState().getMsgpack());
        Object proposed = MessagePack.read(request.getProposedNewState().getMsgpack());
        PlanResourceChange.Response.Builder response = PlanResourceChange.Response.newBuilder();
        Object planned = proposed;
        if (proposed instanceof Map<?, ?> wanted) {
            planned = MadeUpValues.unknown(resource(request.getTypeName()), wanted, prior == null);
            if (prior instanceof Map<?, ?> present) {
                replacing(request.getTypeName(), present, wanted)
                        .forEach(name -> response.addRequiresReplace(AttributePath.newBuilder()
                                .addSteps(AttributePath.Step.newBuilder().setAttributeName(name))));
            }
        }
        answer(
                observer,
                response.setPlannedState(dynamic(MessagePack.write(planned))).build());
    }

    /** The arguments, at the top of a resource, for which another one is planned. */
    final Set<String> replacing(String type, Map<?, ?> present, Map<?, ?> wanted) {
        return Stream.concat(
                        FIXED.stream().map(name -> new Replacement(List.of(name), Replacement.ReplacingChange.ANY)),
                        values().replacements(type).stream())
                .filter(replacement -> replacement.isIn(present, wanted))
                .map(replacement -> replacement.path().getFirst())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void applyResourceChange(
            ApplyResourceChange.Request request, StreamObserver<ApplyResourceChange.Response> observer) {
        Object planned = MessagePack.read(request.getPlannedState().getMsgpack());
        Object applied = planned instanceof Map<?, ?> wanted
                ? made.fill(request.getTypeName(), resource(request.getTypeName()), wanted)
                : null;
        answer(
                observer,
                ApplyResourceChange.Response.newBuilder()
                        .setNewState(dynamic(MessagePack.write(applied)))
                        .setPrivate(request.getPlannedPrivate())
                        .build());
    }

    @Override
    public void readDataSource(ReadDataSource.Request request, StreamObserver<ReadDataSource.Response> observer) {
        Schema.Block block = schemas()
                .answer()
                .getDataSourceSchemasOrThrow(request.getTypeName())
                .getBlock();
        Object configuration = MessagePack.read(request.getConfig().getMsgpack());
        Object state = configuration instanceof Map<?, ?> wanted
                ? made.fill(request.getTypeName(), block, MadeUpValues.unknown(block, wanted, true))
                : null;
        answer(
                observer,
                ReadDataSource.Response.newBuilder()
                        .setState(dynamic(MessagePack.write(state)))
                        .build());
    }

    private Schema.Block resource(String type) {
        return schemas().answer().getResourceSchemasOrThrow(type).getBlock();
    }

    static DynamicValue dynamic(ByteString bytes) {
        return DynamicValue.newBuilder().setMsgpack(bytes).build();
    }
}
