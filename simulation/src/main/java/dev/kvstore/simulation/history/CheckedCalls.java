package dev.kvstore.simulation.history;

import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.simulation.fleet.Client;
import dev.kvstore.simulation.fleet.RestartingFleet;
import dev.kvstore.simulation.world.World;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.function.IntToLongFunction;

/** Calls whose answers are told, and held against the promises. Its methods wait, on threads of clients. */
final class CheckedCalls {
    private final World world;
    private final RestartingFleet fleet;
    private final Client client;
    private final Promises promises;
    private final Story story;
    private final IntToLongFunction faults;
    private boolean areExpected;

    /** @param faults when storage failed a data plane last, or will go on to */
    CheckedCalls(
            World world,
            RestartingFleet fleet,
            Client client,
            Promises promises,
            Story story,
            IntToLongFunction faults) {
        this.world = world;
        this.fleet = fleet;
        this.client = client;
        this.promises = promises;
        this.story = story;
        this.faults = faults;
    }

    void write(HistoryStep.WritePrompt write) {
        int plane = write.plane();
        for (int block = 0; block < write.blocks(); block++) {
            String name = SimulatedBlocks.name(write.prompt(), block);
            int life = fleet.life(plane);
            long asked = world.nanos();
            try {
                acknowledged(
                        name,
                        client.write(plane, write.prompt(), block, write.content()),
                        plane,
                        life,
                        write.content(),
                        asked);
            } catch (StatusRuntimeException e) {
                failed("write " + name, plane, e);
                return;
            }
        }
    }

    void stream(HistoryStep.StreamPrompt write) {
        int plane = write.plane();
        int life = fleet.life(plane);
        long asked = world.nanos();
        try {
            client.writeAll(plane, write.prompt(), write.blocks(), write.content())
                    .forEach((block, outcome) -> acknowledged(
                            SimulatedBlocks.name(write.prompt(), block), outcome, plane, life, write.content(), asked));
        } catch (StatusRuntimeException e) {
            failed("stream prompt " + write.prompt(), plane, e);
        }
    }

    private void acknowledged(
            String block, WriteResponse.Outcome outcome, int plane, int life, int content, long asked) {
        story.say("plane " + plane + " says " + outcome + " of " + block + ", content " + content);
        if (outcome == WriteResponse.Outcome.STORED) {
            promises.stored(block, plane, life, content, asked, world.nanos());
        } else {
            promises.alreadyPresent(block, plane, life, asked, world.nanos());
        }
    }

    /** All faults are long over: from now on each call must be answered. */
    void expectAnswers() {
        areExpected = true;
    }

    private void failed(String what, int plane, StatusRuntimeException e) {
        if (areExpected) {
            promises.unanswered("plane " + plane + " does not " + what + ": " + e.getStatus());
        }
        story.say("plane " + plane + " does not " + what + ": " + e.getStatus().getCode());
    }

    void lookUp(int plane, int prompt) {
        int life = fleet.life(plane);
        long asked = world.nanos();
        try {
            int found = client.lookUp(plane, prompt);
            story.say("plane " + plane + " finds " + found + " blocks of prompt " + prompt);
            if (found > 0) {
                promises.foundLast(SimulatedBlocks.name(prompt, found - 1), plane, asked);
            }
            if (found < Plan.BLOCKS && life == fleet.life(plane)) {
                promises.denied(
                        SimulatedBlocks.name(prompt, found),
                        plane,
                        life,
                        asked,
                        world.nanos(),
                        faults.applyAsLong(plane));
            } else {
                promises.found();
            }
        } catch (StatusRuntimeException e) {
            failed("look up prompt " + prompt, plane, e);
        }
    }

    void read(int plane, int prompt, int block) {
        int life = fleet.life(plane);
        long asked = world.nanos();
        try {
            served(SimulatedBlocks.name(prompt, block), client.read(plane, prompt, block), plane, life, asked);
        } catch (StatusRuntimeException e) {
            failed("read " + SimulatedBlocks.name(prompt, block), plane, e);
        }
    }

    void readAll(int plane, int prompt) {
        int life = fleet.life(plane);
        long asked = world.nanos();
        try {
            List<Integer> contents = client.readAll(plane, prompt, Plan.BLOCKS);
            for (int block = 0; block < contents.size(); block++) {
                served(SimulatedBlocks.name(prompt, block), contents.get(block), plane, life, asked);
            }
        } catch (StatusRuntimeException e) {
            failed("read prompt " + prompt, plane, e);
        }
    }

    private void served(String block, int content, int plane, int life, long asked) {
        story.say("plane " + plane + " serves " + content + " of " + block);
        if (content == Client.MISSING) {
            promises.missing(block, plane, life, asked);
        } else if (content != Client.FAILED) {
            promises.served(block, content, plane, life, asked, world.nanos());
        }
    }
}
