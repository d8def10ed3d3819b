@NullMarked
package dev.resiliency.launcher.attribution.service;

import org.jspecify.annotations.NullMarked;
