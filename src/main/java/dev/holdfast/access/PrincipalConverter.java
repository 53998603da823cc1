package dev.holdfast.access;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;

/** A principal as its stable text, for entities of every room. */
@Converter(autoApply = true)
public class PrincipalConverter implements AttributeConverter<Principal, String> {
    @Override
    public String convertToDatabaseColumn(Principal principal) {
        return principal == null ? null : principal.text();
    }

    @Override
    public Principal convertToEntityAttribute(String text) {
        return text == null ? null : Principal.parse(text);
    }
}
