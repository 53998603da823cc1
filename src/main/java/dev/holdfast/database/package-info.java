/**
 * What every room needs of the database: the schema's migrations, the time, what waits for a
 * commit, what must not wait ({@link dev.holdfast.database.Prompt}), and the secrets that are kept
 * there.
 *
 * <p><b>Facts that must hold.</b> Time is the database's, in microseconds and UTC: a moment that is
 * stored or compared comes from {@link dev.holdfast.database.DatabaseTime}, so several nodes with
 * different clocks agree about deadlines and expiry. Migrations run before any other start-up bean.
 * A row that cannot be read is never taken for one that is not there ({@link
 * dev.holdfast.database.HonestLoads}).
 *
 * <p><b>Out of scope.</b> Entities and queries: they live with the room whose noun they are.
 */
package dev.holdfast.database;
