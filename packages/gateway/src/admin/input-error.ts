/** An argument refers to something that does not exist or is not possible. */
export class InputError extends Error {
  override name = 'InputError'
}
