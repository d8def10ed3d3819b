package dev.resiliency.launcher.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of this program, which the manifest of its jar has. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"resiliency " + (version == null ? "(not from a jar)" : version)};
    }
}
