// The moment a token was sent, as its text. All processes of a machine share this clock.

const STAMP = /@(\d+)@/g

export function stamp(): string {
  return `@${process.hrtime.bigint() / 1_000n}@`
}

/** How old the stamps in this text are, in milliseconds. */
export function agesMs(text: string): number[] {
  const now = process.hrtime.bigint() / 1_000n
  return Array.from(text.matchAll(STAMP), ([, micros]) => Number(now - BigInt(micros!)) / 1_000)
}
