package dev.resiliency.store;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
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
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

@AnalyzeClasses(packages = "dev.resiliency.store", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String STORE = "dev.resiliency.store";
    private static final String GUARD = "dev.resiliency.store.spi.guard";
    private static final String SPI = "dev.resiliency.store.spi";
    private static final String TCP = "dev.resiliency.store.tcp";
    private static final String TCP_INTERNAL = "dev.resiliency.store.tcp.internal";
    private static final int MOST_PUBLIC_TYPES = 15;
    private static final Set<String> EXPORTED = exported();

    private static final SliceAssignment PACKAGES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            return javaClass.getPackageName().startsWith(STORE)
                    ? SliceIdentifier.of(javaClass.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "exact package";
        }
    };

    /** An interface creates its own implementation: the only imports that point up. */
    private static final Map<String, String> IMPLEMENTATIONS = Map.of(
            SPI + ".InMemoryStore", STORE + ".internal.LocalStore",
            SPI + ".StoreServerProgram", TCP_INTERNAL + ".server.StoreServerMain",
            TCP + ".TcpStore", TCP_INTERNAL + ".client.ClientBuilder",
            TCP + ".TcpStoreServer", TCP_INTERNAL + ".server.ServerBuilder");

    private static final DescribedPredicate<JavaClass> CREATES_ITS_IMPLEMENTATION = describe(
            "an interface that creates its implementation", type -> IMPLEMENTATIONS.containsKey(type.getName()));

    private static final DescribedPredicate<JavaClass> IS_CREATED_BY_ITS_INTERFACE = describe(
            "an implementation that its interface creates", type -> IMPLEMENTATIONS.containsValue(type.getName()));

    @ArchTest
    static final ArchRule packagesHaveNoCycles = slices().assignedFrom(PACKAGES)
            .should()
            .beFreeOfCycles()
            .ignoreDependency(CREATES_ITS_IMPLEMENTATION, IS_CREATED_BY_ITS_INTERFACE);

    @ArchTest
    static final ArchRule theUsersInterfaceDependsOnNothingElse = classes()
            .that()
            .resideInAPackage(STORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(STORE, GUARD, "java..", "org.jspecify..");

    /** So a supervisor that loads no library may use it. */
    @ArchTest
    static final ArchRule theGuardNeedsNothingElse = classes()
            .that()
            .resideInAPackage(GUARD)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(GUARD, "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule exportedPackagesImportNoOthers = classes()
            .that(describe("are in exported packages", type -> isExported(type.getPackageName())))
            .and(not(CREATES_ITS_IMPLEMENTATION))
            .should()
            .onlyDependOnClassesThat(describe(
                    "are in exported packages or not of the store",
                    type -> isExported(type.getPackageName())
                            || !type.getPackageName().startsWith(STORE)));

    @ArchTest
    static void anInterfaceKnowsNoInternalClassButItsImplementation(JavaClasses classes) {
        DescribedPredicate<JavaClass> isInternal = describe(
                "internal", type -> type.getPackageName().startsWith(STORE) && !isExported(type.getPackageName()));
        IMPLEMENTATIONS.forEach((type, implementation) -> noClasses()
                .that()
                .haveFullyQualifiedName(type)
                .should()
                .dependOnClassesThat(isInternal.and(not(name(implementation))))
                .check(classes));
    }

    @ArchTest
    static final ArchRule exportedPackagesDoNotUseNetty = noClasses()
            .that()
            .resideInAnyPackage(STORE, SPI, TCP)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..");

    @ArchTest
    static final ArchRule theKeyspaceDoesNotUseTheNetwork = noClasses()
            .that()
            .resideOutsideOfPackage(TCP + "..")
            .and(not(CREATES_ITS_IMPLEMENTATION))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "java.net..", TCP + "..");

    @ArchTest
    static final ArchRule theWireKnowsNeitherSide = noClasses()
            .that()
            .resideInAPackage(TCP_INTERNAL + ".wire")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(TCP_INTERNAL + ".client", TCP_INTERNAL + ".server", TCP_INTERNAL + ".pytorch");

    @ArchTest
    static void noPackageIsExportedToSomeModulesOnly(JavaClasses classes) {
        assertThat(module().exports()).isNotEmpty().noneMatch(ModuleDescriptor.Exports::isQualified);
    }

    @ArchTest
    static void userMeetsFewTypes(JavaClasses classes) {
        Set<String> types = classes.stream()
                .filter(type -> type.getPackageName().equals(STORE)
                        || type.getPackageName().equals(TCP))
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(types).contains("Store", "TcpStore").hasSizeLessThanOrEqualTo(MOST_PUBLIC_TYPES);
    }

    @ArchTest
    static void noSimpleNameStandsForTwoTypes(JavaClasses classes) {
        Set<String> seen = new TreeSet<>();
        Set<String> twice = classes.stream()
                .filter(JavaClass::isTopLevelClass)
                .map(JavaClass::getSimpleName)
                .filter(name -> !name.equals("package-info") && !seen.add(name))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(seen).isNotEmpty();
        assertThat(twice).isEmpty();
    }

    private static boolean isExported(String packageName) {
        return EXPORTED.contains(packageName);
    }

    private static Set<String> exported() {
        return module().exports().stream().map(ModuleDescriptor.Exports::source).collect(Collectors.toSet());
    }

    /**
     * Reads the descriptor that was compiled with these classes: Surefire also runs this test from another working
     * directory.
     */
    private static ModuleDescriptor module() {
        try {
            Path classes = Path.of(Store.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return ModuleFinder.of(classes).findAll().iterator().next().descriptor();
        } catch (URISyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
