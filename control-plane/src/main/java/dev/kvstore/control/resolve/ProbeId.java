package dev.kvstore.control.resolve;

/**
 * The place that was tried, as data planes give it back.
 *
 * @param attempt tells the place and credential that were tried from those that took their place
 */
record ProbeId(String resourceName, String region, String attempt) {
    String text() {
        return resourceName + "/" + region + "/" + attempt;
    }

    /**
     * Reads what a data plane gives back.
     *
     * @throws IllegalArgumentException if it is none
     */
    static ProbeId of(String text) {
        String[] parts = text.split("/", 3);
        if (parts.length != 3 || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("must be the id of a probe");
        }
        return new ProbeId(parts[0], parts[1], parts[2]);
    }
}
