package dev.holdfast.console;

/**
 * The sign-in is over here, and not yet at the provider.
 *
 * @param next where the browser goes to say so there
 */
public record FarewellView(String next) {}
