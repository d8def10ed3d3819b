package dev.resiliency.launcher;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.launcher.attribution.RankEnd;
import dev.resiliency.launcher.health.Finding;
import dev.resiliency.launcher.monitor.Progress;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.KeptProcess;
import dev.resiliency.launcher.process.ProcessState;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.launcher.rendezvous.CycleCall;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

@AnalyzeClasses(packages = "dev.resiliency", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String API = "dev.resiliency.launcher";
    private static final String CLI = API + ".cli";
    private static final String CONFIG = API + ".config";
    private static final String HEALTH = API + ".health";
    private static final String PROCESS = API + ".process";
    private static final String LOG = API + ".log";
    private static final String RENDEZVOUS = API + ".rendezvous";
    private static final String ATTRIBUTION = API + ".attribution";
    private static final String AGENT = API + ".agent";
    private static final String STATUS = API + ".status";

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching(API + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTheCommandLineKnowsPicocli = noClasses()
            .that()
            .resideOutsideOfPackage(CLI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule nothingDependsOnTheCommandLine = noClasses()
            .that()
            .resideOutsideOfPackage(CLI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CLI);

    @ArchTest
    static final ArchRule processesAndSettingsKnowNothingAbove = noClasses()
            .that()
            .resideInAnyPackage(PROCESS, CONFIG, LOG, RENDEZVOUS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(API, CLI, AGENT, HEALTH);

    @ArchTest
    static final ArchRule onlyTheLauncherStartsAnAgent = noClasses()
            .that()
            .resideOutsideOfPackage(AGENT)
            .and()
            .doNotHaveFullyQualifiedName(Launcher.class.getName())
            .should()
            .dependOnClassesThat()
            .resideInAPackage(AGENT);

    /** Of the package of the agent, all others act or observe. */
    private static final Set<String> DECIDES = Set.of(
            "Agent",
            "AgentAction",
            "AgentContext",
            "AgentEvent",
            "AgentSettings",
            "AgentStage",
            "AwaitingSeat",
            "Completed",
            "Effects",
            "Ending",
            "Leaving",
            "NodeHealth",
            "NodeState",
            "RankSlot",
            "RankSlots",
            "Regrouping",
            "Remedy",
            "Running",
            "AgentStep",
            "TakingPart",
            "Target",
            "WorldChange");

    private static final DescribedPredicate<JavaClass> DECIDE_FOR_A_NODE =
            DescribedPredicate.describe("decide for a node", type -> decides(type.getBaseComponentType()));

    private static boolean decides(JavaClass type) {
        return type.getPackageName().equals(AGENT)
                && DECIDES.contains(type.getName().substring(AGENT.length() + 1).replaceFirst("\\$.*", ""));
    }

    @ArchTest
    static final ArchRule decisionsOfAnAgentKnowNoStoreNoClockAndNoProcess = classes()
            .that(DECIDE_FOR_A_NODE)
            .should()
            .onlyDependOnClassesThat(DECIDE_FOR_A_NODE
                    .or(resideInAnyPackage("java.util", "java.util.function", "java.util.stream"))
                    .or(resideInAnyPackage("java.lang..", "org.jspecify..", API, CONFIG))
                    .or(belongToAnyOf(Duration.class, WorldEvent.class, IndexSet.class))
                    .or(belongToAnyOf(
                            Seat.class,
                            JobEvent.class,
                            CycleCall.class,
                            RankEnd.class,
                            ExitReason.class,
                            Verdict.class))
                    .or(belongToAnyOf(KeptProcess.class, ProcessState.class))
                    .or(belongToAnyOf(Finding.class, Progress.class, JobPart.class, WorkloadAction.class))
                    .and(not(belongToAnyOf(System.class, Thread.class, Process.class, ProcessBuilder.class))));

    @ArchTest
    static final ArchRule decisionsAboutSeatsKnowNoStoreAndNoThread = noClasses()
            .that()
            .haveFullyQualifiedName(RENDEZVOUS + ".Seating")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.resiliency.store..", "java.util.concurrent..", "java.io..");

    @ArchTest
    static final ArchRule decisionsAboutSeatsSendNothing = noClasses()
            .that()
            .areAssignableTo(RENDEZVOUS + ".SeatingStage")
            .or()
            .haveFullyQualifiedName(RENDEZVOUS + ".SeatingFacts")
            .or()
            .haveFullyQualifiedName(RENDEZVOUS + ".Roster")
            .or()
            .haveFullyQualifiedName(RENDEZVOUS + ".SeatTable")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.resiliency.store.spi..", "java.util.concurrent..", "java.io..");

    /** So a page shows what all agents have written, and nothing of the one that serves it: it may be served from elsewhere. */
    @ArchTest
    static final ArchRule statusIsMadeFromTheStore = noClasses()
            .that()
            .resideInAPackage(STATUS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(API, CLI, AGENT, HEALTH, PROCESS);

    @ArchTest
    static final ArchRule onlyServersKnowHttpAndMicrometer = noClasses()
            .that()
            .resideInAPackage(API + "..")
            .and()
            .resideOutsideOfPackages(STATUS, API + ".http", ATTRIBUTION + ".service")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.sun.net.httpserver..", "io.micrometer..");

    @ArchTest
    static final ArchRule rulesOfAttributionKnowNoStoreNoThreadAndNoFile = noClasses()
            .that()
            .haveFullyQualifiedName(ATTRIBUTION + ".Rules")
            .or()
            .haveFullyQualifiedName(ATTRIBUTION + ".Incident")
            .or()
            .haveFullyQualifiedName(ATTRIBUTION + ".Incidents")
            .or()
            .haveFullyQualifiedName(ATTRIBUTION + ".CycleReport")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.resiliency.store..", "java.util.concurrent..", "java.io..", "java.nio..");

    @ArchTest
    static final ArchRule checksKnowNothingOfJobs = noClasses()
            .that()
            .resideInAPackage(HEALTH)
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage(API, CLI, AGENT, RENDEZVOUS).and(not(belongToAnyOf(HealthSettings.class))));

    @ArchTest
    static final ArchRule onlyChecksAndLogsKnowGrpc = noClasses()
            .that()
            .resideInAPackage(API + "..")
            .and()
            .resideOutsideOfPackages(HEALTH, LOG + "..", API + ".rpc..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "com.google.protobuf..", API + ".rpc..");

    @ArchTest
    static final ArchRule onlyTheMonitorKnowsSketches = noClasses()
            .that()
            .resideOutsideOfPackage(API + ".monitor")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.datadoghq..");

    @ArchTest
    static final ArchRule theMonitorJudgesRanksAndActsOnNone = noClasses()
            .that()
            .resideInAPackage(API + ".monitor")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CLI, AGENT, HEALTH, PROCESS, LOG);

    /** So it is cheap: it has the class path of a training program, but loads nothing of it. */
    @ArchTest
    static final ArchRule supervisorUsesNoLibrary = noClasses()
            .that()
            .resideInAnyPackage(API, CONFIG, PROCESS, LOG)
            .and()
            .doNotHaveFullyQualifiedName(Launcher.class.getName())
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                    "java..", "org.jspecify..", "dev.resiliency.store.spi.guard", API, CONFIG, PROCESS, LOG);

    @ArchTest
    static final ArchRule otherModulesDoNotDependOnTheLauncher = noClasses()
            .that()
            .resideInAnyPackage("dev.resiliency.store..", "dev.resiliency.inprocess..", "dev.resiliency.testing..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(API + "..");

    @ArchTest
    static void userMeetsFewTypes(JavaClasses classes) {
        Set<String> types = classes.stream()
                .filter(type -> type.getPackageName().equals(API))
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toSet());

        assertThat(types)
                .containsExactlyInAnyOrder(
                        "AutoRestart",
                        "Backoff",
                        "ExitCode",
                        "HealthSettings",
                        "LaunchConfig",
                        "LaunchResult",
                        "Launcher",
                        "LogSettings",
                        "MonitorSettings",
                        "ReportSettings",
                        "RestartBudget",
                        "RestartPolicy",
                        "Supervisor");
    }

    @ArchTest
    static final ArchRule onlyTheLogsArePrinted = noClasses()
            .that()
            .resideInAPackage(API + "..")
            .and()
            .resideOutsideOfPackage(LOG)
            .should(ACCESS_STANDARD_STREAMS);
}
