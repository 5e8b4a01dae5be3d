/** The body of an account route: visitors send it, so it is small. */
export const SMALL_BODY = { body: 'json', maxBytes: 64 * 1024 } as const
