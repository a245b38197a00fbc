/** The words of the command name something that does not exist or cannot be. */
export class InputError extends Error {
  override name = 'InputError'
}
