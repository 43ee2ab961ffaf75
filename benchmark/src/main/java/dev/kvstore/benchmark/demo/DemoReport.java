package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.ProcessFigures;
import java.util.List;

/**
 * Everything the demo found, with the names that the JSON has. Times are milliseconds, MB are 10^6 bytes.
 *
 * @param passed whether all checks held
 * @param client the client library
 * @param blocksStored how many different blocks
 * @param visibleElsewhereMillis until the other data plane saw the last block, from the end of the conversations on
 * @param phases in the order they ran
 * @param dataPlanesStarted when the stack had just become ready
 * @param dataPlanesBusy before the restart
 * @param dataPlanesRestarted after everything
 */
record DemoReport(
        boolean passed,
        String client,
        String storage,
        int conversations,
        int turns,
        long tokens,
        int blockTokens,
        int blockBytes,
        int blocksStored,
        double visibleElsewhereMillis,
        List<DemoPhase.PhaseFigures> phases,
        List<ProcessFigures> dataPlanesStarted,
        List<ProcessFigures> dataPlanesBusy,
        List<ProcessFigures> dataPlanesRestarted,
        List<Checks.DemoCheck> checks) {}
