package dev.kvstore.terraform.azurerm;

import dev.kvstore.terraform.plugin.GetProviderSchema;
import dev.kvstore.terraform.plugin.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Schemas of some resources and data sources: those that a configuration names, since Terraform reads all that it is given at
 * each start. Thread-safe.
 *
 * @param answer what a provider says about itself
 */
record Schemas(GetProviderSchema.Response answer) {
    /**
     * Reads the schemas with these names. A name that azurerm does not have is left out: Terraform says so, with the line.
     *
     * @param archive of {@link AzurermPackage}
     */
    static Schemas read(Path archive, Set<String> names) throws IOException {
        GetProviderSchema.Response.Builder answer = GetProviderSchema.Response.newBuilder();
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            Schema provider = schema(zip, "provider");
            if (provider == null) {
                throw new IOException(archive + " has no schema of the provider: delete it");
            }
            answer.setProvider(provider);
            for (String name : new TreeSet<>(names)) {
                Schema resource = schema(zip, "resource/" + name);
                if (resource != null) {
                    answer.putResourceSchemas(name, resource);
                }
                Schema data = schema(zip, "data/" + name);
                if (data != null) {
                    answer.putDataSourceSchemas(name, data);
                }
            }
        }
        return new Schemas(answer.build());
    }

    private static @Nullable Schema schema(ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            return null;
        }
        try (InputStream in = zip.getInputStream(entry)) {
            return Schema.parseFrom(in);
        }
    }
}
