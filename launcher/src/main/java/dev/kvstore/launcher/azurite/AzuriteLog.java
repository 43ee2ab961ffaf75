package dev.kvstore.launcher.azurite;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the output of Azurite: its address, and its last lines in case it does not start. Thread-safe. */
final class AzuriteLog {
    private static final int TAIL_LINES = 30;
    private static final Pattern LISTENS = Pattern.compile("successfully listens on (https?://\\S+)");

    private final ArrayDeque<String> tail = new ArrayDeque<>();

    /** Reads to the end in a thread of its own. The future has the address, once Azurite has printed it. */
    CompletableFuture<URI> follow(BufferedReader output) {
        CompletableFuture<URI> listening = new CompletableFuture<>();
        // A thread that reads a pipe is blocked, so it must not be one of those that virtual threads share.
        Thread.ofPlatform().daemon().name("azurite-log").start(() -> read(output, listening));
        return listening;
    }

    private void read(BufferedReader output, CompletableFuture<URI> listening) {
        try (output) {
            String line = output.readLine();
            while (line != null) {
                keep(line);
                Matcher matcher = LISTENS.matcher(line);
                if (matcher.find()) {
                    listening.complete(URI.create(matcher.group(1)));
                }
                line = output.readLine();
            }
            listening.completeExceptionally(new EOFException("end of output"));
        } catch (IOException e) {
            listening.completeExceptionally(e);
        }
    }

    private synchronized void keep(String line) {
        if (tail.size() == TAIL_LINES) {
            tail.removeFirst();
        }
        tail.add(line);
    }

    synchronized String tail() {
        return String.join("\n", tail);
    }
}
