package dev.kvstore.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.azurite.Azurite;
import dev.kvstore.testing.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The secrets that a release finds: made by cert-manager, of the certificates that the chart asks for, and by an admin.
 */
record PodSecrets(Path folder) {
    Path key(String secret, String key) {
        return folder.resolve(secret).resolve(key);
    }

    void make(String rendered, String database, String storage) throws IOException {
        TestAuthority authority = new TestAuthority(Files.createDirectories(folder), "authority");
        // The two forms of keys that cert-manager writes unless it is told otherwise.
        issue(authority, Chart.object(rendered, "Certificate", "-control-plane-tls"), "rsa");
        issue(authority, Chart.object(rendered, "Certificate", "-data-plane-tls"), "ec");
        issue(authority, "database-tls", "DNS:" + database, "rsa");
        Files.createDirectories(folder.resolve("database-authority"));
        Files.copy(authority.certificate(), key("database-authority", "ca.crt"));
        put("tokens", "admin-token", "kva_0123456789abcdef0123456789abcdef");
        put("tokens", "join-token", "0123456789abcdef0123456789abcdef");
        put("database", "user", Postgres.USER);
        put("database", "password", Postgres.PASSWORD);
        put(
                "credentials",
                "storage",
                "DefaultEndpointsProtocol=http;AccountName=" + Azurite.ACCOUNT + ";AccountKey=" + Azurite.ACCOUNT_KEY
                        + ";BlobEndpoint=" + storage + ";");
    }

    private void put(String secret, String key, String value) throws IOException {
        Files.createDirectories(folder.resolve(secret));
        Files.writeString(key(secret, key), value);
    }

    private void issue(TestAuthority authority, JsonNode certificate, String algorithm) throws IOException {
        List<String> names = certificate
                .at("/spec/dnsNames")
                .valueStream()
                .map(name -> "DNS:" + name.asText())
                .toList();
        issue(authority, certificate.at("/spec/secretName").asText(), String.join(",", names), algorithm);
    }

    private void issue(TestAuthority authority, String secret, String names, String algorithm) throws IOException {
        Path to = Files.createDirectories(folder.resolve(secret));
        Path key = folder.resolve(secret + ".pem");
        List<String> request = new ArrayList<>(List.of("req", "-x509", "-nodes", "-days", "30", "-subj", "/CN=kv"));
        request.addAll(
                algorithm.equals("rsa")
                        ? List.of("-newkey", "rsa:2048")
                        : List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"));
        request.addAll(List.of("-CA", authority.certificate().toString()));
        request.addAll(List.of("-CAkey", folder.resolve("authority.key").toString()));
        request.addAll(List.of("-addext", "basicConstraints=critical,CA:FALSE", "-addext", "subjectAltName=" + names));
        request.addAll(List.of("-addext", "extendedKeyUsage=serverAuth,clientAuth"));
        request.addAll(
                List.of("-keyout", key.toString(), "-out", to.resolve("tls.crt").toString()));
        TestAuthority.openssl(request);
        List<String> form = new ArrayList<>(List.of(algorithm, "-in", key.toString()));
        form.addAll(List.of("-out", to.resolve("tls.key").toString()));
        if (algorithm.equals("rsa")) {
            form.add("-traditional");
        }
        TestAuthority.openssl(form);
        Files.copy(authority.certificate(), to.resolve("ca.crt"));
    }
}
