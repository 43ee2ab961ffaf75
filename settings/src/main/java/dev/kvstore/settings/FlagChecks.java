package dev.kvstore.settings;

import java.util.Locale;

/** Checks of the flags that both servers have. Stateless. */
public final class FlagChecks {
    private FlagChecks() {}

    /** @throws BadFlag if the value is empty or only spaces */
    public static void requireText(String flag, String value) throws BadFlag {
        if (value.isBlank()) {
            throw new BadFlag(flag + ": must not be empty");
        }
    }

    /** @throws BadFlag if one is no TCP port, or both are the same */
    public static void requirePorts(int port, int httpPort) throws BadFlag {
        requirePort("--port", port);
        requirePort("--http-port", httpPort);
        if (port == httpPort) {
            throw new BadFlag("--http-port: must differ from --port");
        }
    }

    private static void requirePort(String flag, int port) throws BadFlag {
        if (port < 1 || port > 65_535) {
            throw new BadFlag(flag + ": must be 1 to 65535, not " + port);
        }
    }

    /**
     * The name by which Quarkus knows a log level, in upper case.
     *
     * @throws BadFlag if there is no such level
     */
    public static String logLevel(String level) throws BadFlag {
        return switch (level.toLowerCase(Locale.ROOT)) {
            case "error", "warn", "info", "debug", "trace" -> level.toUpperCase(Locale.ROOT);
            default -> throw new BadFlag("--log-level: must be error, warn, info, debug or trace, not " + level);
        };
    }

    /** @throws BadFlag if the format is neither text nor json */
    public static boolean isJson(String logFormat) throws BadFlag {
        return switch (logFormat.toLowerCase(Locale.ROOT)) {
            case "text" -> false;
            case "json" -> true;
            default -> throw new BadFlag("--log-format: must be text or json, not " + logFormat);
        };
    }
}
