package dev.resiliency.state.internal;

/** Names a copy of a part of the state, and whatever is served: what it is of, and when. */
record Copied(Part part, Version version) {
    String encode() {
        return version.encode() + " " + part.encode();
    }

    static Copied decode(String text) {
        int end = text.indexOf(' ');
        return new Copied(Part.decode(text.substring(end + 1)), Version.decode(text.substring(0, end)));
    }

    @Override
    public String toString() {
        return part + " of step " + version.step();
    }
}
