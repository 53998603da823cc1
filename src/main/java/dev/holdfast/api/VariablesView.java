package dev.holdfast.api;

import dev.holdfast.workbench.SessionVariable;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The names that code has given to values, in their order, at most 1000. */
@Schema(
        name = "Variables",
        requiredProperties = {"variables"})
public record VariablesView(List<VariableView> variables) {

    /**
     * See {@link SessionVariable}.
     *
     * @param value shortened to a line
     */
    @Schema(
            name = "Variable",
            requiredProperties = {"name", "type", "value"})
    public record VariableView(
            @Schema(examples = "total") String name,
            @Schema(examples = "int") String type,
            @Schema(examples = "42") String value) {}

    static VariablesView of(List<SessionVariable> variables) {
        return new VariablesView(
                variables.stream()
                        .map(each -> new VariableView(each.name(), each.type(), each.value()))
                        .toList());
    }
}
