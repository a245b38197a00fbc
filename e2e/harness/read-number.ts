// Options of commands that are numbers. Undefined if they were not given.

export function readCount(name: string, value: string | undefined, least = 0): number | undefined {
  const count = readNumber(name, value)
  if (count === undefined || (Number.isInteger(count) && count >= least)) return count
  throw new Error(`Cannot read --${name} "${value}": give a whole number, at least ${least}`)
}

export function readNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (value.trim() !== '' && Number.isFinite(number) && number >= 0) return number
  throw new Error(`Cannot read --${name} "${value}": give a number`)
}
