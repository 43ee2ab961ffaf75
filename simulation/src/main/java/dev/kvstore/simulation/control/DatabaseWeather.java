package dev.kvstore.simulation.control;

/**
 * The database's treatment of its clients.
 *
 * @param refused the part of all requests that end a connection, and have no effect
 * @param unanswered the part of all requests that have their effect and end a connection without an answer
 * @param slowed the factor by which requests and answers take longer on their way
 */
public record DatabaseWeather(double refused, double unanswered, int slowed) {
    public static final DatabaseWeather CALM = new DatabaseWeather(0, 0, 1);
}
