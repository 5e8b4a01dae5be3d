/**
 * The rule for bodies of account routes: JSON of at most 64 KiB. The limit is low because visitors without an account send
 * them.
 */
export const SMALL_BODY = { body: 'json', maxBytes: 64 * 1024 } as const
