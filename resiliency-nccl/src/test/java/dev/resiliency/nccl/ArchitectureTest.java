package dev.resiliency.nccl;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.resiliency", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String API = "dev.resiliency.nccl";
    private static final String HEALTH = "dev.resiliency.nccl.health";
    private static final String INTERNAL = "dev.resiliency.nccl.internal";

    @ArchTest
    static final ArchRule nativesHaveOneDoor = noClasses()
            .that()
            .resideOutsideOfPackage(INTERNAL)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.bytedeco..");

    @ArchTest
    static final ArchRule theOtherModulesKnowNothingOfGpus = noClasses()
            .that()
            .resideInAnyPackage("dev.resiliency.store..", "dev.resiliency.inprocess..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(API + "..");

    @ArchTest
    static final ArchRule onlyTheApiOfTheOtherModulesIsUsed = noClasses()
            .that()
            .resideInAPackage(API + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.resiliency.store..internal..", "dev.resiliency.inprocess.internal..");

    @ArchTest
    static final ArchRule theNativesKnowNothingOfWhatIsBuiltUponThem = noClasses()
            .that()
            .resideInAPackage(INTERNAL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HEALTH, "dev.resiliency.inprocess..", "dev.resiliency.store..");

    @ArchTest
    static final ArchRule nothingIsPrinted =
            noClasses().that().resideInAPackage(API + "..").should(ACCESS_STANDARD_STREAMS);
}
