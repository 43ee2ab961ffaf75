package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.call.CallAdmission;

/**
 * The admission of a process's calls, by the kind of call.
 *
 * @param blocks calls that move blocks: Read, Write and both streams
 * @param lookups calls that move no blocks
 */
public record Admission(CallAdmission blocks, CallAdmission lookups) {}
