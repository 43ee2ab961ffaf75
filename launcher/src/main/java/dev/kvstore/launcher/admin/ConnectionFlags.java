package dev.kvstore.launcher.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.TrustedAuthorities;
import dev.kvstore.launcher.stack.StackFolder;
import dev.kvstore.settings.SecretText;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags with the control plane and the credential. */
public final class ConnectionFlags {
    private static final String TOKEN = "KVSTORE_ADMIN_TOKEN";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:KVSTORE_URL:-http://127.0.0.1:8080}",
            description = "The control plane's REST address. Default: KVSTORE_URL, else http://127.0.0.1:8080.")
    private String url = "";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the admin's token. Default: KVSTORE_ADMIN_TOKEN itself, else what kv up keeps in"
                    + " target/kv-up.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--plaintext",
            description = "Ask over http:// an address that is not loopback: the network sees the token.")
    private boolean plaintext;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "Authorities (PEM) that the control plane's certificate may be of. Default: Java's own list.")
    private @Nullable Path authorities;

    /**
     * A client for the flags and the environment.
     *
     * @throws IllegalArgumentException if no control plane or no token is named
     */
    public AdminClient open() {
        URI address = address();
        Path standard = StackFolder.adminToken(Home.current().stack());
        return new AdminClient(
                address, token(tokenFile, System.getenv(TOKEN), standard), TrustedAuthorities.of(authorities));
    }

    /** The file with the authorities that certificates may be of; null for Java's own list. */
    public @Nullable Path authorities() {
        return authorities;
    }

    /** Whether addresses that are not loopback may be asked in clear. */
    public boolean plaintext() {
        return plaintext;
    }

    /** Whether a process at a host is spoken to over TLS: one of another machine, and every one if there is a CA. */
    public boolean speaksTls(String host) {
        return authorities != null || (!plaintext && !LOOPBACK.contains(host));
    }

    private URI address() {
        URI address;
        try {
            address = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("--url: " + url + " is no URL", e);
        }
        String scheme = address.getScheme();
        boolean web = "https".equals(scheme) || "http".equals(scheme);
        if (!web || address.getHost() == null || address.getRawQuery() != null || address.getRawUserInfo() != null) {
            throw new IllegalArgumentException("--url: must be http:// or https:// with a host and a port, not " + url
                    + (url.contains("_")
                            ? "; a host's name has no _: use another of its names, or its IP address"
                            : ""));
        }
        if ("http".equals(scheme) && !LOOPBACK.contains(address.getHost()) && !plaintext) {
            throw new IllegalArgumentException(
                    "--url: " + url + " would show the token to the network; use https://, or --plaintext");
        }
        return address;
    }

    /**
     * The token of the named file, else of the environment, else of the default file.
     *
     * @param variable the value in the environment; null for none
     * @throws IllegalArgumentException if there is no token
     */
    static String token(@Nullable Path named, @Nullable String variable, Path usual) {
        if (named != null) {
            return checked(read(named), "--token-file: " + named);
        }
        if (variable != null && !variable.isBlank()) {
            return checked(variable, TOKEN + ":");
        }
        if (Files.exists(usual)) {
            return checked(read(usual), usual.toString());
        }
        throw new IllegalArgumentException("no token: set " + TOKEN + " to what kv up prints, or give --token-file");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw new IllegalArgumentException("--token-file: " + file + " cannot be read: " + IoReason.of(e), e);
        }
    }

    private static String checked(String text, String from) {
        String token = SecretText.of(text);
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException(from + " must hold a token: visible ASCII characters without spaces");
        }
        return token;
    }
}
