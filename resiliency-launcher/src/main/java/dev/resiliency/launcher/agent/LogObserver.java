package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.log.LauncherLog;
import java.lang.System.Logger.Level;

/** Logs why an agent does what it does; and, at DEBUG, the steps by which it goes from stage to stage. */
record LogObserver(LauncherLog log) implements Observer {
    private static final System.Logger STEPS = System.getLogger(Agent.class.getName());

    @Override
    public void observe(AgentStep step) {
        if (!step.before().stage().equals(step.after().stage())) {
            STEPS.log(Level.DEBUG, step::toString);
        }
        step.actions().forEach(action -> log.line(action.reason()));
    }
}
