package dev.kvstore.client;

import java.nio.file.Path;

/**
 * The certificate and key that this client shows to a server that asks for one.
 *
 * @param chain certificates, PEM: the client's own first
 * @param key of the first certificate, PKCS#8, PKCS#1 or SEC1 in PEM, not encrypted
 */
public record ClientCertificate(Path chain, Path key) {}
