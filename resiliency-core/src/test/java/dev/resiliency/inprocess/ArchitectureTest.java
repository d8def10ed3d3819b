package dev.resiliency.inprocess;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Duration;

@AnalyzeClasses(packages = "dev.resiliency.inprocess", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String API = "dev.resiliency.inprocess";
    private static final String FAULT = "dev.resiliency.inprocess.fault";
    private static final String HOOK = "dev.resiliency.inprocess.hook";
    private static final String RANK = "dev.resiliency.inprocess.rank";
    private static final String INTERNAL = "dev.resiliency.inprocess.internal";
    private static final String LOOP = INTERNAL + ".loop";
    private static final String WORKER = INTERNAL + ".worker";
    private static final String WATCH = INTERNAL + ".watch";
    private static final String MONITOR = INTERNAL + ".monitor";
    private static final String PROTOCOL = INTERNAL + ".protocol";
    private static final String JFR = INTERNAL + ".jfr";
    private static final String SETTINGS = INTERNAL + ".settings";
    private static final String CYCLE = INTERNAL + ".cycle";
    private static final String JVMTI = INTERNAL + ".jvmti";

    @ArchTest
    static final ArchRule hooksKnowWhoARankIsAndHowItGivesUp = classes()
            .that()
            .resideInAPackage(HOOK)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", HOOK)
                    .or(type(State.class))
                    .or(type(RestartAbort.class)));

    @ArchTest
    static final ArchRule rankAssignmentKnowsNeitherHooksNorTheLoop = noClasses()
            .that()
            .resideInAPackage(RANK)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HOOK, INTERNAL + "..");

    /** Top to bottom: a layer uses the ones below it; what a layer's packages use of each other has no cycles. */
    @ArchTest
    static final ArchRule internalPackagesUseWhatIsBelowThem = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("job")
            .definedBy(INTERNAL)
            .layer("loop")
            .definedBy(LOOP)
            .layer("parts")
            .definedBy(WORKER, WATCH, MONITOR, PROTOCOL, JFR)
            .layer("ground")
            .definedBy(SETTINGS, CYCLE, JVMTI)
            .layer("api")
            .definedBy(API, HOOK, RANK)
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
            .resideInAnyPackage(INTERNAL, LOOP, WORKER, WATCH, MONITOR, PROTOCOL, JFR, SETTINGS, CYCLE, JVMTI);

    @ArchTest
    static final ArchRule theProtocolKnowsNeitherThreadsNorHooks = noClasses()
            .that()
            .resideInAPackage(PROTOCOL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HOOK, WORKER, WATCH, MONITOR, SETTINGS, CYCLE, JVMTI, JFR);

    @ArchTest
    static final ArchRule theMonitorProcessKnowsNothingOfTheWorkers = noClasses()
            .that()
            .resideInAPackage(MONITOR)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HOOK, WORKER, SETTINGS);

    @ArchTest
    static final ArchRule theApiReachesTheInternalsInThreePlaces = noClasses()
            .that(resideInAPackage(API)
                    .and(not(type(Wrapper.class).or(type(WrapperBuilder.class)).or(type(StoreFactory.class)))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(INTERNAL + "..");

    @ArchTest
    static final ArchRule theNetworkIsTheStoresBusiness =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("io.netty..", "com.fasterxml..");

    @ArchTest
    static final ArchRule packagesBelowTheApiHaveNoCycles = slices().assignedFrom(
                    packagesIn("dev.resiliency.inprocess.*.."))
            .should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTheMonitorProcessAndTheWarningOfASilentLogWriteToTheOutput = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(MONITOR + ".MonitorMain")
            .and()
            .doNotHaveFullyQualifiedName(INTERNAL + ".SilentLog")
            .should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule nothingNeedsInjectedFaults = noClasses()
            .that()
            .resideOutsideOfPackage(FAULT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(FAULT);

    @ArchTest
    static final ArchRule nothingSleepsUnlessThatIsTheFault = noClasses()
            .that()
            .resideOutsideOfPackage(FAULT)
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class)
            .orShould()
            .callMethod(Thread.class, "sleep", Duration.class);

    /** Each package by itself, and not together with those below it. */
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
