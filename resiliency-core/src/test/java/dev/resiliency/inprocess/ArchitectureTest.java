package dev.resiliency.inprocess;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;

@AnalyzeClasses(packages = "dev.resiliency.inprocess", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String API = "dev.resiliency.inprocess";
    private static final String FAULT = "dev.resiliency.inprocess.fault";
    private static final String HOOK = "dev.resiliency.inprocess.hook";
    private static final String RANK = "dev.resiliency.inprocess.rank";
    private static final String INTERNAL = "dev.resiliency.inprocess.internal";
    private static final String LOOP = "dev.resiliency.inprocess.internal.loop";
    private static final String PROTOCOL = "dev.resiliency.inprocess.internal.protocol";
    private static final String MONITOR = "dev.resiliency.inprocess.internal.monitor";

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

    @ArchTest
    static final ArchRule theKeysThatRanksShareKnowNothingOfTheLoop = noClasses()
            .that()
            .resideInAPackage(PROTOCOL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(INTERNAL, LOOP, MONITOR, HOOK);

    @ArchTest
    static final ArchRule theMonitorProcessKnowsNothingOfTheLoop = noClasses()
            .that()
            .resideInAPackage(MONITOR)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(INTERNAL, LOOP, HOOK);

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
    static final ArchRule packagesBelowTheApiHaveNoCycles =
            slices().matching("dev.resiliency.inprocess.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTheMonitorProcessWritesToItsOutput = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(MONITOR + ".MonitorMain")
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
}
