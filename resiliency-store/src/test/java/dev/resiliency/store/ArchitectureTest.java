package dev.resiliency.store;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.resiliency.store", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String STORE = "dev.resiliency.store";
    private static final String INTERNAL = "dev.resiliency.store.internal";
    private static final String TCP = "dev.resiliency.store.tcp..";

    @ArchTest
    static final ArchRule onlyTheInMemoryStoreUsesTheKeyspace = noClasses()
            .that()
            .resideInAPackage(STORE)
            .and()
            .doNotHaveSimpleName("InMemoryStore")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(INTERNAL, TCP);

    @ArchTest
    static final ArchRule theKeyspaceKnowsNoNetwork = noClasses()
            .that()
            .resideOutsideOfPackage(TCP)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "java.net..", TCP);

    @ArchTest
    static final ArchRule theWireKnowsNoBuilders = noClasses()
            .that()
            .resideInAPackage("dev.resiliency.store.tcp.internal..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.resiliency.store.tcp");

    @ArchTest
    static final ArchRule nothingPublicIsMadeOfNetty = noClasses()
            .that()
            .resideInAnyPackage(STORE, "dev.resiliency.store.tcp")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.resiliency.store.(*)..").should().beFreeOfCycles();
}
