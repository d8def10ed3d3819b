package dev.resiliency.state;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.resiliency.inprocess.rank.GroupKey;
import java.time.Duration;

@AnalyzeClasses(packages = "dev.resiliency.state", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String INTERNAL = "dev.resiliency.state.internal";

    /** Of the rank assignment it uses what tells ranks apart that are lost together. */
    @ArchTest
    static final ArchRule theStateUsesTheApiOfTheWrapperOnly = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "dev.resiliency.inprocess.internal..", "dev.resiliency.inprocess.rank", "io.netty..")
                    .and(not(type(GroupKey.class))));

    /** The interface creates its implementation. */
    @ArchTest
    static final ArchRule theApiKnowsNothingInternalButThat = noClasses()
            .that()
            .resideInAPackage("dev.resiliency.state")
            .should()
            .dependOnClassesThat(resideInAnyPackage(INTERNAL).and(not(name(INTERNAL + ".Replica"))));

    @ArchTest
    static final ArchRule nothingIsForTheOutput = noClasses().should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule nothingSleeps = noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class)
            .orShould()
            .callMethod(Thread.class, "sleep", Duration.class);
}
