/** Thrown for a citation style or a language that cannot be used. The message is shown to users. */
export class CannotCite extends Error {}
