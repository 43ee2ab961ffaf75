package dev.kvstore.simulation.history;

import dev.kvstore.simulation.fleet.StorageMood;

/** What somebody does, or what befalls somebody, at a time. */
public sealed interface Step {
    /** The first blocks of a prompt, one after the other. */
    record WritePrompt(int plane, int prompt, int blocks, int content) implements Step {}

    /** The first blocks of a prompt, through one stream. */
    record StreamPrompt(int plane, int prompt, int blocks, int content) implements Step {}

    /** The longest stored prefix of a prompt. */
    record LookUp(int plane, int prompt) implements Step {}

    record ReadBlock(int plane, int prompt, int block) implements Step {}

    /** All blocks of a prompt, through one stream. */
    record ReadPrompt(int plane, int prompt) implements Step {}

    /** A data plane ends at once, and is started again. */
    record Kill(int plane, long downMillis) implements Step {}

    /** A data plane is told to end, and is started again. */
    record Stop(int plane, long downMillis) implements Step {}

    record Freeze(int plane, long millis) implements Step {}

    record Mood(int plane, StorageMood mood, long millis) implements Step {}

    /** Calls of a host do not reach a data plane; of another data plane, or of clients. */
    record Cut(String from, int plane, long millis) implements Step {}

    /** A data plane's clock steps. */
    record StepClock(int plane, long millis) implements Step {}

    /** Another program deletes a block. */
    record Lose(int prompt, int block) implements Step {}

    /** Another program deletes all files of presence of a partition. */
    record LosePresence() implements Step {}
}
