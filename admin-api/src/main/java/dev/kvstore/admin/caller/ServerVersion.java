package dev.kvstore.admin.caller;

/**
 * The version of the program that serves the API.
 *
 * @param text the text that {@code kv control-plane --version} prints
 */
public record ServerVersion(String text) {}
