// The moment a token was sent, as its text. All processes of a machine share this clock.

const STAMP = /@(\d+)@/g

export function stamp(): string {
  return `@${nowMicros()}@`
}

/** How old the stamps in this text are, in microseconds. */
export function agesMicros(text: string): number[] {
  const now = nowMicros()
  return Array.from(text.matchAll(STAMP), ([, micros]) => now - Number(micros))
}

function nowMicros(): number {
  const [seconds, nanos] = process.hrtime()
  return seconds * 1e6 + Math.floor(nanos / 1e3)
}
