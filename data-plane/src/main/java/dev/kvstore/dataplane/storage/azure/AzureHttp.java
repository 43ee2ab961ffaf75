package dev.kvstore.dataplane.storage.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import dev.kvstore.dataplane.storage.http.HttpCall;
import dev.kvstore.dataplane.storage.http.HttpOrigin;
import dev.kvstore.dataplane.storage.http.Lease;
import dev.kvstore.dataplane.storage.http.NettyHttpClient;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Our HTTP client as Azure's SDK takes one. Thread-safe. */
public final class AzureHttp implements HttpClient, AutoCloseable {
    /** Under this key the context of a request says {@code true} if its call {@link HttpCall#lend lends}. */
    public static final String LEND = "kvstore.lend";

    /** Under this key the context of a request has the {@link Lease} of its body. */
    public static final String LEASE = "kvstore.lease";

    // The key by which the SDK's generated code marks answers that it decodes as a whole.
    private static final String COLLECT = "azure-eagerly-read-response";

    private final NettyHttpClient client;

    /** @param client is closed with this */
    public AzureHttp(NettyHttpClient client) {
        this.client = client;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return Mono.create(sink -> start(request, context, sink));
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        return Objects.requireNonNull(send(request, context).block());
    }

    private void start(HttpRequest request, Context context, MonoSink<HttpResponse> sink) {
        try {
            HttpCall call = new HttpCall(
                    head(request), request.getBody(), isTrue(context, COLLECT), isTrue(context, LEND), (Lease)
                            context.getData(LEASE).orElse(null));
            sink.onCancel(client.send(HttpOrigin.of(request.getUrl()), call, new SdkCaller(request, sink))::run);
        } catch (MalformedURLException | IllegalArgumentException e) {
            sink.error(new UnsendableRequestException(request.getUrl().getHost()));
        }
    }

    private static io.netty.handler.codec.http.HttpRequest head(HttpRequest request) {
        String target = request.getUrl().getFile();
        io.netty.handler.codec.http.HttpRequest head = new DefaultHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.valueOf(request.getHttpMethod().toString()),
                target.startsWith("/") ? target : '/' + target);
        for (HttpHeader header : request.getHeaders()) {
            head.headers().add(header.getName(), header.getValuesList());
        }
        return head;
    }

    private static boolean isTrue(Context context, String key) {
        return Boolean.TRUE.equals(context.getData(key).orElse(false));
    }

    /** Hands the answer to the SDK. */
    private record SdkCaller(HttpRequest request, MonoSink<HttpResponse> sink) implements HttpCall.HttpCaller {
        @Override
        public void answered(io.netty.handler.codec.http.HttpResponse head, Flux<ByteBuffer> answer, Runnable close) {
            HttpHeaders headers = new HttpHeaders();
            for (Map.Entry<String, String> header : head.headers()) {
                headers.add(HttpHeaderName.fromString(header.getKey()), header.getValue());
            }
            sink.success(new AzureResponse(request, head.status().code(), headers, answer, close));
        }

        @Override
        public void failed(IOException reason) {
            sink.error(reason);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
