/**
 * Holdfast: agent sandboxes with whole-state snapshots.
 *
 * <p><b>Words.</b> A <i>project</i> is the tenant. A <i>sandbox</i> is one running or paused
 * machine, made from a <i>template</i> or a <i>snapshot</i>. A <i>capture</i> is the act that makes
 * a snapshot; a snapshot never changes and is made of <i>parts</i>, stored objects listed by a
 * manifest. A sandbox restored from a snapshot is its <i>occupant</i>. A <i>worker</i> is a node
 * that runs sandboxes; the machine is what a sandbox is on its worker's host, made by the runtime,
 * with the <i>agent</i> as its first process. Who acted is the <i>principal</i>; who asks over HTTP
 * is the caller.
 *
 * <p><b>Rooms</b>, each a flat package that opens with its own page, and who may call whom:
 *
 * <ul>
 *   <li>edge: {@code api}, {@code operation}, {@code operator}, {@code e2b}, {@code envd}, {@code
 *       gateway}, {@code hop}, {@code console}, {@code openid}, {@code door}, {@code workbench}
 *       take requests and may call everything below; only {@code envd}, {@code gateway} and {@code
 *       workbench} also speak to {@code agent};
 *   <li>work: {@code autosave}, {@code build}, {@code capture}, {@code contents}, {@code drive},
 *       {@code restore}, {@code expiry}, {@code job}, {@code webhook}, {@code worker} do what takes
 *       long and may call core and ports;
 *   <li>core: {@code inventory}, {@code peek}, {@code retention}, {@code snapshot}, {@code
 *       sandbox}, {@code template}, {@code fleet}, {@code quota}, {@code volume} keep the truth in
 *       the database;
 *   <li>ports: {@code runtime}, {@code storage}, {@code agent} reach the outside and know no other
 *       room;
 *   <li>ground: {@code access}, {@code audit}, {@code problem}, {@code database}, {@code event},
 *       {@code role}, {@code telemetry} may be used by all but the ports.
 * </ul>
 *
 * <p>{@code hop} is apart from {@code gateway} because how a request comes to another node does not
 * depend on what it means there. {@code drive} is apart from {@code volume} because which volumes
 * there are is known on every node and what is in one only where its file is. {@code fleet} is
 * apart from {@code worker} because who picks a worker runs on every node and a worker's machines
 * on one; {@code autosave} is apart from {@code capture} because when something is captured does
 * not depend on how; {@code job} is apart from {@code expiry} because how work is started and seen
 * does not depend on what ends; {@code role} is apart from {@code fleet} because who admits the
 * first key asks what this node is there for, and the fleet asks who acts; {@code database} and
 * {@code event} are grounds of their own because every level needs the time, the schema and the
 * news of a transition, and none of the others may be asked for them.
 *
 * <p><b>Facts that must hold.</b> PostgreSQL is the only source of truth; a database change and the
 * request to a worker that follows from it go in one JTA transaction. Whatever comes from a caller
 * or from inside a sandbox is hostile and bounded. The rooms' arrows are a test ({@code
 * ArchitectureTest}).
 *
 * <p><b>Decisions.</b> One module and one WAR, because every node runs the same build and a
 * configuration says whether it controls, works or both; {@code door} alone is in a second, small
 * one, which only those deploy who have an OpenID provider. The server is shaped by {@code
 * wildfly-config/configure.cli} and not by a feature pack, so that a clone needs a Maven registry
 * and nothing else.
 */
package dev.holdfast;
