package dev.resiliency.nccl;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.resiliency.nccl.internal.communicator.Aborts;
import dev.resiliency.nccl.internal.communicator.IterationCommunicator;
import dev.resiliency.nccl.internal.communicator.RegisteredCommunicator;
import dev.resiliency.nccl.internal.device.DeviceMemory;
import dev.resiliency.nccl.internal.device.DeviceStream;
import dev.resiliency.nccl.internal.device.Devices;
import dev.resiliency.nccl.internal.device.MemoryReclaim;
import dev.resiliency.nccl.internal.device.PtxModule;
import dev.resiliency.nccl.internal.health.HealthChecks;

@AnalyzeClasses(packages = "dev.resiliency", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String API = "dev.resiliency.nccl";
    private static final String INTERNAL = "dev.resiliency.nccl.internal";
    private static final String NATIVES = INTERNAL + ".natives";
    private static final String DEVICE = INTERNAL + ".device";
    private static final String COMMUNICATOR = INTERNAL + ".communicator";
    private static final String HEALTH = INTERNAL + ".health";

    @ArchTest
    static final ArchRule onlyTheNativesUseJavaCpp = noClasses()
            .that()
            .resideOutsideOfPackage(NATIVES)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.bytedeco..");

    @ArchTest
    static final ArchRule otherModulesDoNotDependOnGpus = noClasses()
            .that()
            .resideInAnyPackage("dev.resiliency.store..", "dev.resiliency.inprocess..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(API + "..");

    @ArchTest
    static final ArchRule onlyTheApiOfOtherModulesIsUsed = noClasses()
            .that()
            .resideInAPackage(API + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.resiliency.store..internal..", "dev.resiliency.inprocess.internal..");

    /** What the exported types create, and nothing else that is internal. */
    @ArchTest
    static final ArchRule exportedPackageImportsItsImplementationsOnly = noClasses()
            .that()
            .resideInAPackage(API)
            .should()
            .dependOnClassesThat(resideInAPackage(INTERNAL + "..")
                    .and(not(belongToAnyOf(
                            Aborts.class,
                            IterationCommunicator.class,
                            RegisteredCommunicator.class,
                            DeviceMemory.class,
                            Devices.class,
                            DeviceStream.class,
                            MemoryReclaim.class,
                            PtxModule.class,
                            HealthChecks.class))));

    @ArchTest
    static final ArchRule nativesKnowOnlyTheExceptions = noClasses()
            .that()
            .resideInAPackage(NATIVES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(DEVICE, COMMUNICATOR, HEALTH, "dev.resiliency.inprocess..", "dev.resiliency.store..");

    @ArchTest
    static final ArchRule roomsAreIndependent = slices().matching(INTERNAL + ".(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(alwaysTrue(), resideInAPackage(NATIVES));

    @ArchTest
    static final ArchRule nothingIsPrinted = noClasses()
            .that()
            .resideInAPackage(API + "..")
            .and()
            .doNotHaveSimpleName("NodeCheckProgram")
            .should(ACCESS_STANDARD_STREAMS);
}
