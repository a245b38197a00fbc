// One input of the fuzzer, as plain data: it can be saved, and sent again exactly as it was. Bytes are strings with one character per byte.
// Names in double braces stand for secrets and IDs that differ from run to run; they are filled in when the input is sent.

export type Input = HttpInput | LinkInput | GatewayInput | BusInput

/** Bytes on a fresh connection. */
export interface HttpInput {
  kind: 'http'
  steps: readonly HttpStep[]
}

export type HttpStep =
  | { do: 'send'; bytes: string }
  | { do: 'pause'; ms: number }
  | { do: 'stop-reading' }
  | { do: 'half-close' }
  | { do: 'reset' }

/** Messages on the link of a device whose credential is valid. */
export interface LinkInput {
  kind: 'link'
  /** A client asks for the device's model after the greeting. */
  isAsked: boolean
  /** Each is sent as one WebSocket frame, or as raw bytes. The first one greets, more or less. */
  steps: readonly LinkStep[]
}

export type LinkStep =
  | { do: 'text'; text: string }
  | { do: 'bytes'; bytes: string }
  /** A job must have been offered before the next step; skipped if none comes soon. */
  | { do: 'await-job' }
  | { do: 'reset' }

/** Messages of a gateway on the link of a device that runs in the process of the fuzzer. */
export interface GatewayInput {
  kind: 'gateway'
  texts: readonly string[]
}

/** Messages on the bus, from somebody who has its password and may be a gateway. */
export interface BusInput {
  kind: 'bus'
  steps: readonly BusStep[]
}

export type BusStep =
  | { do: 'publish'; subject: string; bytes: string }
  /** Opens a peer link as a gateway would, if it isn't open yet, and sends this text as a batch of messages. */
  | { do: 'say'; text: string }

export type Placeholder =
  | 'KEY'
  | 'COOKIE'
  | 'SPARE_COOKIE'
  | 'CREDENTIAL'
  | 'GATEWAY'
  | 'HOST'
  | 'ORIGIN'
  | 'ORGANIZATION'
  | 'DEVICE'
  | 'JOB'

export function fillIn(text: string, values: Readonly<Partial<Record<Placeholder, string>>>): string {
  return text.replaceAll(/\{\{([A-Z]+)\}\}/g, (whole, name: string) => values[name as Placeholder] ?? whole)
}

/** Text as bytes, one character per byte. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
