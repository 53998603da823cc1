package dev.holdfast;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Who may call whom; the page of {@code dev.holdfast} says the same in words. A room that has no
 * class yet breaks nothing.
 */
@AnalyzeClasses(packages = "dev.holdfast", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] EDGE =
            rooms(
                    "api",
                    "operation",
                    "operator",
                    "e2b",
                    "envd",
                    "gateway",
                    "hop",
                    "console",
                    "openid",
                    "door",
                    "workbench");
    private static final String[] WORK =
            rooms(
                    "autosave",
                    "build",
                    "capture",
                    "contents",
                    "drive",
                    "restore",
                    "expiry",
                    "job",
                    "webhook",
                    "worker");
    private static final String[] CORE =
            rooms(
                    "inventory",
                    "peek",
                    "retention",
                    "snapshot",
                    "sandbox",
                    "template",
                    "fleet",
                    "quota",
                    "volume");
    private static final String[] PORTS = rooms("runtime", "storage", "agent");
    private static final String[] GROUND =
            rooms("access", "audit", "problem", "database", "event", "role", "telemetry");

    @ArchTest
    static final ArchRule everyClassIsInARoom =
            classes()
                    .should()
                    .resideInAnyPackage(
                            all(new String[] {"dev.holdfast"}, EDGE, WORK, CORE, PORTS, GROUND))
                    .because("a room that no rule names is held by no rule");

    @ArchTest
    static final ArchRule runtimeKnowsNoOtherRoom =
            portKnowsItself("runtime")
                    .because("runsc must be exchangeable without reading the rest");

    @ArchTest
    static final ArchRule storageKnowsNoOtherRoom =
            portKnowsItself("storage")
                    .because("an object store knows bytes and digests, no snapshots");

    @ArchTest
    static final ArchRule agentKnowsNoOtherRoom =
            portKnowsItself("agent")
                    .because("the channel's peer is hostile; it meets no business here");

    @ArchTest
    static final ArchRule groundKnowsOnlyGround =
            noClasses()
                    .that()
                    .resideInAnyPackage(GROUND)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(all(EDGE, WORK, CORE, PORTS))
                    .because("what all rooms use must not depend on one of them")
                    .allowEmptyShould(true);

    @ArchTest
    static final ArchRule coreKnowsNeitherEdgeNorWorkNorPorts =
            noClasses()
                    .that()
                    .resideInAnyPackage(CORE)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(all(EDGE, WORK, PORTS))
                    .because(
                            "the catalogue must stand without a worker, on a node that only"
                                    + " controls")
                    .allowEmptyShould(true);

    @ArchTest
    static final ArchRule workKnowsNoEdge =
            noClasses()
                    .that()
                    .resideInAnyPackage(WORK)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(EDGE)
                    .because("a capture or a job is the same whoever asked, over whatever dialect")
                    .allowEmptyShould(true);

    @ArchTest
    static final ArchRule edgeReachesPortsThroughWork =
            noClasses()
                    .that()
                    .resideInAnyPackage(EDGE)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(rooms("runtime", "storage"))
                    .because("a request may land on a node that has neither sandboxes nor store")
                    .allowEmptyShould(true);

    @ArchTest
    static final ArchRule onlyTheDataPlaneSpeaksToTheAgent =
            noClasses()
                    .that()
                    .resideInAnyPackage(rooms("api", "operation", "e2b", "console"))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(rooms("agent"))
                    .because(
                            "every byte from a sandbox passes the checks of envd, the gateway or"
                                    + " the workbench")
                    .allowEmptyShould(true);

    @ArchTest
    static final ArchRule roomsFormNoCycle =
            slices().matching("dev.holdfast.(*)..")
                    .should()
                    .beFreeOfCycles()
                    .because("two rooms that need each other are one room")
                    .allowEmptyShould(true);

    private static ArchRule portKnowsItself(String port) {
        return noClasses()
                .that()
                .resideInAnyPackage(rooms(port))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        Stream.of(EDGE, WORK, CORE, PORTS, GROUND)
                                .flatMap(Arrays::stream)
                                .filter(room -> !room.equals(rooms(port)[0]))
                                .toArray(String[]::new))
                .allowEmptyShould(true);
    }

    private static String[] rooms(String... names) {
        return Arrays.stream(names)
                .map(name -> "dev.holdfast." + name + "..")
                .toArray(String[]::new);
    }

    private static String[] all(String[]... levels) {
        return Arrays.stream(levels).flatMap(Arrays::stream).toArray(String[]::new);
    }
}
