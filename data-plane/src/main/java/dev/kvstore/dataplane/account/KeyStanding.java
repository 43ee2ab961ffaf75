package dev.kvstore.dataplane.account;

/** The knowledge about an API key when a call begins. */
public enum KeyStanding {
    /** The key existed when the control plane was last asked. */
    GOOD,
    /** The key did not exist when the control plane was last asked, not long ago. */
    UNKNOWN,
    /** The shown key has ended, and does not count any more. */
    EXPIRED,
    /** The key existed, and has changed since. The control plane must be asked, before unknown keys. */
    DOUBTED,
    /** The control plane must be asked, or was asked and did not answer. */
    UNHEARD
}
