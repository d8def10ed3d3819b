package dev.resiliency.launcher.attribution;

import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A row of the table of rules.
 *
 * @param judgement says why a case happened to which the condition applies
 */
record Rule(Predicate<Case> condition, Function<Case, Judgement> judgement) {}
