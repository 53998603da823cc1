/**
 * What follows a piece of work through threads, queues and nodes, and what is counted of it.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.telemetry.Trail}: what every log line of one request
 * has in common. {@link dev.holdfast.telemetry.Traces}: the steps of it, as spans for a collector
 * if there is one. {@link dev.holdfast.telemetry.Meters}: counts what was committed. The numbers
 * themselves belong to the rooms that count; gauges over the whole installation to room {@code
 * operator}.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>A trail is opened where work begins on a thread (the servlet filter, a message listener, a
 *       task of an executor) and closed there; a thread of a pool never keeps another's.
 *   <li>What comes from outside is on a trail only if it is short and printable, so that no caller
 *       writes a line of our log.
 *   <li>Nothing that a rollback undoes is counted.
 *   <li>Without a collector there are no spans: nothing is made, kept or sent. With one that is
 *       away what would be sent is dropped, and no work waits for it.
 *   <li>Labels of meters come from enumerations and never from callers: no project, no sandbox, no
 *       name.
 * </ul>
 *
 * <p><b>Decisions.</b> The trail is the log's own context (MDC) and nothing beside it: what is not
 * in the log has no second place to be looked up. The managed executors know no log context, so a
 * task that goes on for somebody is wrapped where it is handed over ({@link
 * dev.holdfast.telemetry.Trail#around(Runnable)}). In messages it travels as properties, so that a
 * listener of an older build ignores it. A step, too, is known to what is within it by the trail
 * alone: its {@code traceparent} is a mark like others, and so needs no context of its own to cross
 * threads and queues.
 *
 * <p>Spans leave by OpenTelemetry's own library in the WAR and not by the server's subsystem: that
 * one sends logs and metrics to the same address as well, speaks gRPC alone, times requests and
 * nothing behind them, and starts its own event loops even where nothing is to be sent.
 */
package dev.holdfast.telemetry;
