package dev.holdfast.capture;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;

/** A caller whose transaction ends with its work: committed, or rolled back when that throws. */
@Stateless
public class OneTransaction {

    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public void run(Runnable work) {
        work.run();
    }
}
