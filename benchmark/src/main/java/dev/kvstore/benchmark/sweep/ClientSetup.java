package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.ServiceAccess;

/**
 * The setup that a client process needs before its first step, a line of JSON.
 *
 * @param mix what each client does
 * @param process which of all it is, from 0
 * @param connections to each data plane
 */
record ClientSetup(ServiceAccess access, Mix mix, SweepStock stock, int process, int processes, int connections) {}
