package dev.kvstore.dataplane.service;

/**
 * How many calls a process serves at a time, by what they need.
 *
 * @param blocks calls that move blocks: Read, Write and both streams
 * @param lookups calls that move none
 */
public record Admission(CallAdmission blocks, CallAdmission lookups) {}
