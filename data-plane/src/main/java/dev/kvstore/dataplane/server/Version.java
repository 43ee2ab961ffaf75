package dev.kvstore.dataplane.server;

import org.eclipse.microprofile.config.ConfigProvider;
import picocli.CommandLine.IVersionProvider;

/** What this build calls itself. */
final class Version implements IVersionProvider {
    static String text() {
        return ConfigProvider.getConfig().getValue("quarkus.application.version", String.class);
    }

    @Override
    public String[] getVersion() {
        return new String[] {"KV Store " + text()};
    }
}
