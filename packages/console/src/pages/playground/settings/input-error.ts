/** Something that a person typed can't be used. The message says what to type instead. */
export class InputError extends Error {}
