package dev.kvstore.simulation.history;

import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.simulation.fleet.Client;
import dev.kvstore.simulation.fleet.RestartingFleet;
import dev.kvstore.simulation.plan.Plan;
import dev.kvstore.simulation.promise.Disturbances;
import dev.kvstore.simulation.promise.Promises;
import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.world.World;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls, tells the story their answers, and holds these against the promises. The methods wait, on threads of
 * clients.
 */
final class CheckedCalls {
    /** Codes with which a call never fails if its client does not leave, and asks for nothing that is wrong. */
    private static final Set<Code> NEVER = EnumSet.of(Code.CANCELLED, Code.INTERNAL, Code.UNKNOWN);

    private final World world;
    private final RestartingFleet fleet;
    private final Client client;
    private final Promises promises;
    private final Story story;
    private final IntToLongFunction faults;
    private final @Nullable Disturbances disturbances;
    private boolean areExpected;

    /**
     * Calls of a client.
     *
     * @param faults gives the time until which storage has failed, or will fail, a data plane
     * @param disturbances the times at which calls may go without an answer; null if they always may
     */
    CheckedCalls(
            World world,
            RestartingFleet fleet,
            Client client,
            Promises promises,
            Story story,
            IntToLongFunction faults,
            @Nullable Disturbances disturbances) {
        this.world = world;
        this.fleet = fleet;
        this.client = client;
        this.promises = promises;
        this.story = story;
        this.faults = faults;
        this.disturbances = disturbances;
    }

    /** The same calls of a client that does not wait for answers. */
    CheckedCalls with(Client other) {
        return new CheckedCalls(world, fleet, other, promises, story, faults, null);
    }

    void write(HistoryStep.WritePrompt write) {
        promises.writing();
        try {
            writeBlocks(write);
        } finally {
            promises.wrote(world.nanos());
        }
    }

    private void writeBlocks(HistoryStep.WritePrompt write) {
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
                failed("write " + name, plane, asked, e);
                return;
            }
        }
    }

    void stream(HistoryStep.StreamPrompt write) {
        promises.writing();
        try {
            streamBlocks(write);
        } finally {
            promises.wrote(world.nanos());
        }
    }

    private void streamBlocks(HistoryStep.StreamPrompt write) {
        int plane = write.plane();
        int life = fleet.life(plane);
        long asked = world.nanos();
        SortedMap<Integer, WriteResponse.Outcome> outcomes = new TreeMap<>();
        try {
            client.writeAll(plane, write.prompt(), write.blocks(), write.content(), outcomes);
        } catch (StatusRuntimeException e) {
            failed("stream prompt " + write.prompt(), plane, asked, e);
        }
        outcomes.forEach((block, outcome) -> acknowledged(
                SimulatedBlocks.name(write.prompt(), block), outcome, plane, life, write.content(), asked));
    }

    /**
     * Makes a write whose client leaves in the middle of it. Nothing is promised of the write; it must leave nothing
     * behind.
     */
    void leave(HistoryStep.LeaveWrite write) {
        promises.writing();
        try {
            client.writeAndLeave(write.plane(), write.prompt(), write.block(), write.content(), write.millis());
        } catch (StatusRuntimeException e) {
            story.say("a client leaves plane " + write.plane() + ": "
                    + e.getStatus().getCode());
        } finally {
            promises.wrote(world.nanos());
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

    private void failed(String what, int plane, long asked, StatusRuntimeException e) {
        Code code = e.getStatus().getCode();
        Disturbances known = disturbances;
        boolean isHasty = known == null;
        boolean isExcused = known == null || !known.areOver(plane, asked);
        // No process writes over a block of a newer version.
        boolean isRefusal = code == Code.FAILED_PRECONDITION;
        // The server ends a call at its deadline, too, by its own clock, which may be a tenth fast.
        boolean isLate = world.nanos() >= asked + Client.DEADLINE_NANOS * 9 / 10;
        boolean isNever = NEVER.contains(code) && !(code == Code.CANCELLED && (isHasty || isLate));
        if (areExpected || isNever || !(isExcused || isRefusal)) {
            promises.unanswered("plane " + plane + " does not " + what + ": " + e.getStatus());
        }
        story.say("plane " + plane + " does not " + what + ": " + code);
    }

    void lookUp(int plane, int prompt) {
        lookUp(plane, prompt, () -> client.lookUp(plane, prompt));
    }

    void lookUpTokens(int plane, int prompt) {
        lookUp(plane, prompt, () -> client.lookUpTokens(plane, prompt));
    }

    void lookUpAll(int plane, int prompt) {
        lookUp(plane, prompt, () -> {
            List<Integer> found = client.lookUpAll(plane, prompt);
            if (found.getLast() != 0) {
                promises.unwrittenFound("plane " + plane + " finds blocks in a partition that nobody writes");
            }
            return found.getFirst();
        });
    }

    private void lookUp(int plane, int prompt, IntSupplier lookup) {
        int life = fleet.life(plane);
        long asked = world.nanos();
        try {
            int found = lookup.getAsInt();
            story.say("plane " + plane + " finds " + found + " blocks of prompt " + prompt);
            if (found > 0) {
                promises.isFound(SimulatedBlocks.name(prompt, found - 1), plane);
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
            failed("look up prompt " + prompt, plane, asked, e);
        }
    }

    void read(int plane, int prompt, int block) {
        int life = fleet.life(plane);
        long asked = world.nanos();
        try {
            served(SimulatedBlocks.name(prompt, block), client.read(plane, prompt, block), plane, life, asked);
        } catch (StatusRuntimeException e) {
            failed("read " + SimulatedBlocks.name(prompt, block), plane, asked, e);
        }
    }

    void readAll(int plane, int prompt) {
        int life = fleet.life(plane);
        long asked = world.nanos();
        List<Integer> contents = new ArrayList<>();
        try {
            client.readAll(plane, prompt, Plan.BLOCKS, contents);
        } catch (StatusRuntimeException e) {
            failed("read prompt " + prompt, plane, asked, e);
        }
        for (int block = 0; block < contents.size(); block++) {
            served(SimulatedBlocks.name(prompt, block), contents.get(block), plane, life, asked);
        }
    }

    private void served(String block, int content, int plane, int life, long asked) {
        story.say("plane " + plane + " serves " + content + " of " + block);
        if (content == Client.MISSING) {
            promises.missing(block, plane, life, asked);
        } else if (content == Client.DAMAGED) {
            promises.foundDamaged(block, plane, life, asked, world.nanos(), faults.applyAsLong(plane));
        } else if (content != Client.FAILED) {
            // The process that took the place of an ended one may answer a call to the ended one.
            promises.served(block, content, plane, fleet.life(plane), asked, world.nanos());
        }
    }
}
