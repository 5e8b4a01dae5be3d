/** A style or language that cannot be used. The message is for users. */
export class CannotCite extends Error {}
