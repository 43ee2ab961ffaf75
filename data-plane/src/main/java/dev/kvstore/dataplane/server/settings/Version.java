package dev.kvstore.dataplane.server.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, which the build writes into a resource. */
public final class Version implements IVersionProvider {
    private static final String RESOURCE = "version.txt";

    public static String text() {
        try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new FileNotFoundException(RESOURCE + " is not in this build");
            }
            return new String(in.readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {"KV Store " + text()};
    }
}
