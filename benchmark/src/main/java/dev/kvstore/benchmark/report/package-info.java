/**
 * A run's report for people: what a command found, as a {@link dev.kvstore.benchmark.report.ReportPage} of text, tables
 * and charts, rendered as Markdown and as one self-contained HTML page.
 */
@NullMarked
package dev.kvstore.benchmark.report;

import org.jspecify.annotations.NullMarked;
