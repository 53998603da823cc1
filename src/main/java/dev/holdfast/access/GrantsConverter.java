package dev.holdfast.access;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Grants as lines: {@code service}, and the ID of each project with its permissions behind it. */
@Converter(autoApply = true)
public class GrantsConverter implements AttributeConverter<Grants, String> {
    private static final String SERVICE = "service";

    private final PermissionsConverter words = new PermissionsConverter();

    @Override
    public String convertToDatabaseColumn(Grants grants) {
        if (grants == null) {
            return null;
        }
        Stream<String> projects =
                grants.projects().entrySet().stream()
                        .map(
                                each ->
                                        each.getKey()
                                                + " "
                                                + words.convertToDatabaseColumn(each.getValue()));
        return Stream.concat(grants.ofService() ? Stream.of(SERVICE) : Stream.empty(), projects)
                .collect(Collectors.joining("\n"));
    }

    @Override
    public Grants convertToEntityAttribute(String text) {
        if (text == null) {
            return null;
        }
        var projects = new LinkedHashMap<ProjectId, Set<Permission>>();
        for (String line : text.split("\n")) {
            String[] parts = line.split(" ", 2);
            if (parts.length == 2) {
                Set<Permission> known = words.convertToEntityAttribute(parts[1]);
                if (!known.isEmpty()) {
                    projects.put(ProjectId.read(parts[0]).orElseThrow(), known);
                }
            }
        }
        return new Grants(projects, text.startsWith(SERVICE));
    }
}
