/** An option of a command. Undefined if it was not given. */
export function readNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (value.trim() !== '' && Number.isFinite(number) && number >= 0) return number
  throw new Error(`Cannot read --${name} "${value}": give a number`)
}
