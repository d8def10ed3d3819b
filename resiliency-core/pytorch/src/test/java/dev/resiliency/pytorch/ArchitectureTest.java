package dev.resiliency.pytorch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;

@AnalyzeClasses(packages = "dev.resiliency.pytorch", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule usersMeetFourTypes = classes()
            .that()
            .areTopLevelClasses()
            .and()
            .areNotInterfaces()
            .and()
            .doNotHaveSimpleName("ProcessGroups")
            .and()
            .doNotHaveSimpleName("ProcessGroupException")
            .and()
            .doNotHaveSimpleName("TorchLibrary")
            .should()
            .notHaveModifier(JavaModifier.PUBLIC);

    @ArchTest
    static final ArchRule onlyTheApiOfTheOtherModulesIsUsed =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("dev.resiliency..internal..", "io.netty..");

    @ArchTest
    static final ArchRule nothingSleeps = noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class)
            .orShould()
            .callMethod(Thread.class, "sleep", Duration.class);
}
