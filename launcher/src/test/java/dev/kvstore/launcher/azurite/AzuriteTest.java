package dev.kvstore.launcher.azurite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class AzuriteTest {
    @TempDir
    Path folder;

    @Test
    void answersAsABlobServiceUntilItIsClosed() throws Exception {
        Azurite azurite = Azurite.inMemory();
        try (azurite;
                HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(azurite.endpoint()).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.headers().firstValue("server"))
                    .hasValueSatisfying(s -> assertThat(s).contains("Azurite-Blob"));
        }
        assertThat(azurite.process().isAlive()).isFalse();
    }

    @Test
    void endsWhenThePipeFromItsParentCloses() throws Exception {
        List<String> command = new ArrayList<>(AzuriteInstallation.ofCheckout().command());
        command.addAll(List.of("--blobPort", "0", "--inMemoryPersistence", "--disableTelemetry"));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            new AzuriteLog().follow(child.inputReader()).get(60, TimeUnit.SECONDS);

            child.getOutputStream().close();

            assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void tellsWhatItSaidWhenItCannotStart() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> Azurite.inFolder(folder, taken.getLocalPort()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("EADDRINUSE");
        }
    }
}
