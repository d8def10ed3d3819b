package dev.resiliency.inprocess;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@AnalyzeClasses(
        packages = {"dev.resiliency.inprocess", "dev.resiliency.monitor"},
        importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String API = "dev.resiliency.inprocess";
    private static final String RANK = "dev.resiliency.inprocess.rank";
    private static final String INTERNAL = "dev.resiliency.inprocess.internal";
    private static final String LOOP = INTERNAL + ".loop";
    private static final String WORKER = INTERNAL + ".worker";
    private static final String WATCH = INTERNAL + ".watch";
    private static final String MONITOR = INTERNAL + ".monitor";
    private static final String PROTOCOL = INTERNAL + ".protocol";
    private static final String REFOUND = INTERNAL + ".refound";
    private static final String JFR = INTERNAL + ".jfr";
    private static final String SETTINGS = INTERNAL + ".settings";
    private static final String CYCLE = INTERNAL + ".cycle";
    private static final String JVMTI = INTERNAL + ".jvmti";
    private static final String SIGNAL = INTERNAL + ".signal";
    private static final String LOG = INTERNAL + ".log";
    private static final String RANK_MONITOR = "dev.resiliency.monitor";

    @ArchTest
    static final ArchRule rankAssignmentKnowsNothingAboveIt = noClasses()
            .that()
            .resideInAPackage(RANK)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(API, INTERNAL + "..");

    /** Top to bottom: a layer uses only those below it; the packages of a layer have no cycles among each other. */
    @ArchTest
    static final ArchRule internalPackagesUseWhatIsBelowThem = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("job")
            .definedBy(INTERNAL)
            .layer("loop")
            .definedBy(LOOP)
            .layer("parts")
            .definedBy(WORKER, WATCH, MONITOR, REFOUND, PROTOCOL, JFR)
            .layer("ground")
            .definedBy(SETTINGS, CYCLE, JVMTI, SIGNAL, LOG)
            .layer("api")
            .definedBy(API, RANK)
            .whereLayer("loop")
            .mayOnlyAccessLayers("parts", "ground", "api")
            .whereLayer("parts")
            .mayOnlyAccessLayers("ground", "api")
            .whereLayer("ground")
            .mayOnlyAccessLayers("api");

    @ArchTest
    static final ArchRule everyInternalPackageHasItsLayer = classes()
            .that()
            .resideInAPackage(INTERNAL + "..")
            .should()
            .resideInAnyPackage(
                    INTERNAL, LOOP, WORKER, WATCH, MONITOR, REFOUND, PROTOCOL, JFR, SETTINGS, CYCLE, JVMTI, SIGNAL,
                    LOG);

    @ArchTest
    static final ArchRule theProtocolKnowsNoThreads = noClasses()
            .that()
            .resideInAPackage(PROTOCOL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(WORKER, WATCH, MONITOR, SETTINGS, CYCLE, JVMTI, SIGNAL, JFR);

    @ArchTest
    static final ArchRule theMonitorProcessKnowsNothingOfTheWorkers = noClasses()
            .that()
            .resideInAPackage(MONITOR)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(WORKER, SETTINGS);

    /** An interface creates its own implementation: the only imports that point up. */
    private static final Map<String, String> IMPLEMENTATIONS = Map.of(
            API + ".Wrapper", INTERNAL + ".WrapperBuilder",
            API + ".spi.LaunchedJob", PROTOCOL + ".AgentsJob",
            API + ".spi.RankMonitors", MONITOR + ".MonitorServer",
            RANK_MONITOR + ".RankMonitorClient", RANK_MONITOR + ".spi.StampWriter");

    private static final DescribedPredicate<JavaClass> CREATES_ITS_IMPLEMENTATION = describe(
            "an interface that creates its implementation", type -> IMPLEMENTATIONS.containsKey(type.getName()));

    private static final DescribedPredicate<JavaClass> IS_CREATED_BY_ITS_INTERFACE = describe(
            "an implementation that its interface creates", type -> IMPLEMENTATIONS.containsValue(type.getName()));

    @ArchTest
    static final ArchRule exportedPackagesImportNoInternalOne = noClasses()
            .that(resideInAnyPackage(API, RANK, RANK_MONITOR + "..").and(not(CREATES_ITS_IMPLEMENTATION)))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(INTERNAL + "..");

    @ArchTest
    static void anInterfaceKnowsNoInternalClassButItsImplementation(JavaClasses classes) {
        IMPLEMENTATIONS.forEach((type, implementation) -> noClasses()
                .that()
                .haveFullyQualifiedName(type)
                .should()
                .dependOnClassesThat(resideInAnyPackage(INTERNAL + "..", RANK_MONITOR + ".spi..")
                        .and(not(name(implementation))))
                .check(classes));
    }

    /** So that a program uses it with or without a wrapper. */
    @ArchTest
    static final ArchRule theClientOfTheAgentKnowsEventsOnly = noClasses()
            .that()
            .resideInAPackage(RANK_MONITOR + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(INTERNAL + "..", RANK);

    @ArchTest
    static final ArchRule theClientOfTheAgentDoesNotImportItsImplementation = noClasses()
            .that(resideInAPackage(RANK_MONITOR).and(not(CREATES_ITS_IMPLEMENTATION)))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(RANK_MONITOR + ".spi");

    @ArchTest
    static final ArchRule theNetworkIsTheStoresBusiness =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("io.netty..", "com.fasterxml..");

    /** So that a process without JNA loads all other classes. */
    @ArchTest
    static final ArchRule onlyTheseNeedJna = noClasses()
            .that()
            .resideOutsideOfPackage(JVMTI)
            .and()
            .doNotHaveFullyQualifiedName(API + ".spi.socket.NativeSockets")
            .and()
            .doNotHaveFullyQualifiedName(API + ".spi.socket.NativeSockets$Loaded")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.sun.jna..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles = slices().assignedFrom(packagesIn("dev.resiliency.."))
            .should()
            .beFreeOfCycles()
            .ignoreDependency(CREATES_ITS_IMPLEMENTATION, IS_CREATED_BY_ITS_INTERFACE);

    @ArchTest
    static final ArchRule onlyTheMonitorProcessTheWarningOfASilentLogAndLastWordsAreForTheOutput = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(MONITOR + ".MonitorMain")
            .and()
            .doNotHaveFullyQualifiedName(INTERNAL + ".SilentLog")
            .and()
            .doNotHaveFullyQualifiedName(INTERNAL + ".LastWords")
            .should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule nothingSleeps = noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class)
            .orShould()
            .callMethod(Thread.class, "sleep", Duration.class);

    /** The types that a beginner needs are listed at the beginning of the package's Javadoc. */
    @Test
    void beginnerMeetsAtMostTwelveTypes() throws IOException {
        String javadoc = Files.readString(Path.of("src/main/java", API.replace('.', '/'), "package-info.java"));
        String list = javadoc.substring(javadoc.indexOf("Start here"), javadoc.indexOf("</ul>"));

        List<String> types = Pattern.compile("\\{@link (\\w+)}")
                .matcher(list)
                .results()
                .map(link -> link.group(1))
                .distinct()
                .toList();

        assertThat(types).contains("Wrapper", "CallWrapper").hasSizeLessThanOrEqualTo(12);
    }

    /** Treats each package separately from its subpackages. */
    private static SliceAssignment packagesIn(String packageIdentifier) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                return resideInAPackage(packageIdentifier).test(javaClass)
                        ? SliceIdentifier.of(javaClass.getPackageName())
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "each package in " + packageIdentifier;
            }
        };
    }
}
