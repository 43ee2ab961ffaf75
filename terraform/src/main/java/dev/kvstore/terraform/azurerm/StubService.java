package dev.kvstore.terraform.azurerm;

import dev.kvstore.terraform.azurerm.AllowedValues.RefusedValue;
import dev.kvstore.terraform.plugin.AttributePath;
import dev.kvstore.terraform.plugin.Diagnostic;
import dev.kvstore.terraform.plugin.GetProviderSchema;
import dev.kvstore.terraform.plugin.PrepareProviderConfig;
import dev.kvstore.terraform.plugin.ProviderGrpc;
import dev.kvstore.terraform.plugin.Stop;
import dev.kvstore.terraform.plugin.ValidateConfig;
import io.grpc.stub.StreamObserver;
import java.util.List;

/**
 * The calls that Terraform makes to a provider whose resources it mocks: schemas, and whether arguments are good. Every
 * call that would speak with Azure is unimplemented, which Terraform reports as an error. Thread-safe.
 */
class StubService extends ProviderGrpc.ProviderImplBase {
    private final Schemas schemas;
    private final AllowedValues values;

    StubService(Schemas schemas, AllowedValues values) {
        this.schemas = schemas;
        this.values = values;
    }

    final Schemas schemas() {
        return schemas;
    }

    final AllowedValues values() {
        return values;
    }

    @Override
    public void getSchema(GetProviderSchema.Request request, StreamObserver<GetProviderSchema.Response> observer) {
        answer(observer, schemas.answer());
    }

    @Override
    public void prepareProviderConfig(
            PrepareProviderConfig.Request request, StreamObserver<PrepareProviderConfig.Response> observer) {
        answer(
                observer,
                PrepareProviderConfig.Response.newBuilder()
                        .setPreparedConfig(request.getConfig())
                        .build());
    }

    @Override
    public void validateResourceTypeConfig(
            ValidateConfig.Request request, StreamObserver<ValidateConfig.Response> observer) {
        ValidateConfig.Response.Builder response = ValidateConfig.Response.newBuilder();
        Object configuration = MessagePack.read(request.getConfig().getMsgpack());
        for (RefusedValue refused : values.check(request.getTypeName(), configuration)) {
            response.addDiagnostics(Diagnostic.newBuilder()
                    .setSeverity(Diagnostic.Severity.ERROR)
                    .setSummary("azurerm does not take this value")
                    .setDetail(refused.reason())
                    .setAttribute(path(refused.path())));
        }
        answer(observer, response.build());
    }

    @Override
    public void validateDataSourceConfig(
            ValidateConfig.Request request, StreamObserver<ValidateConfig.Response> observer) {
        answer(observer, ValidateConfig.Response.getDefaultInstance());
    }

    @Override
    public void stop(Stop.Request request, StreamObserver<Stop.Response> observer) {
        answer(observer, Stop.Response.getDefaultInstance());
    }

    private static AttributePath path(List<Object> steps) {
        AttributePath.Builder path = AttributePath.newBuilder();
        for (Object step : steps) {
            AttributePath.Step.Builder each = path.addStepsBuilder();
            if (step instanceof Integer position) {
                each.setElementKeyInt(position);
            } else {
                each.setAttributeName(String.valueOf(step));
            }
        }
        return path.build();
    }

    static <T> void answer(StreamObserver<T> observer, T response) {
        observer.onNext(response);
        observer.onCompleted();
    }
}
