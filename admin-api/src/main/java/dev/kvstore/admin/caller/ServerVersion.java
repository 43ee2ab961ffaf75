package dev.kvstore.admin.caller;

/**
 * The version of the program that serves the API.
 *
 * @param text as {@code kv control-plane --version} has it
 */
public record ServerVersion(String text) {}
