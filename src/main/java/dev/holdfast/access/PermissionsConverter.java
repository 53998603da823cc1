package dev.holdfast.access;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Permissions as their words in the order of the enum, with one space between. */
@Converter
public class PermissionsConverter implements AttributeConverter<Set<Permission>, String> {
    @Override
    public String convertToDatabaseColumn(Set<Permission> permissions) {
        return permissions.stream().sorted().map(Permission::word).collect(Collectors.joining(" "));
    }

    @Override
    public Set<Permission> convertToEntityAttribute(String words) {
        var permissions = EnumSet.noneOf(Permission.class);
        for (var word : words.split(" ")) {
            // A word of a newer build grants nothing here.
            Permission.of(word).ifPresent(permissions::add);
        }
        return Collections.unmodifiableSet(permissions);
    }
}
