package dev.resiliency.launcher.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of this program, which the manifest of its jar has. */
final class ProgramVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return new String[] {"resiliency " + (version == null ? "(not from a jar)" : version)};
    }
}
