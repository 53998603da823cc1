package dev.holdfast.template;

/** How far a template's image is. */
public enum TemplateState {
    BUILDING,
    READY,
    FAILED
}
