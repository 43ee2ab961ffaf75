package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.call.CallAdmission;

/**
 * How many calls a process serves at a time, by what they need.
 *
 * @param blocks calls that move blocks: Read, Write and both streams
 * @param lookups calls that move none
 */
public record Admission(CallAdmission blocks, CallAdmission lookups) {}
