package dev.resiliency.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.resiliency.spark", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static void usersMeetFiveTypes(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(each ->
                                each.isTopLevelClass() && each.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder(
                        "ResilientStage", "ResilientStageException", "LostRows", "StageProgress", "StageRestart");
    }

    @ArchTest
    static final ArchRule onlyTheApiOfTheOtherModulesIsUsed = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.resiliency..internal..", "io.netty..", "com.sun.jna..");
}
