// All families with a description. To add one, write its file and list it here.

import { APRIEL16 } from './apriel16.ts'
import { COHERE } from './cohere.ts'
import { COMMAND_R_PLUS } from './command-r-plus.ts'
import { isOfFamily, type Family } from './family.ts'
import { FUNCTIONARY32 } from './functionary32.ts'
import { GIGACHAT3 } from './gigachat3.ts'
import { GPT_OSS } from './gpt-oss.ts'
import { GRANITE3 } from './granite3.ts'
import { KIMI_K3 } from './kimi-k3.ts'
import { LFM2 } from './lfm2.ts'
import { LING3 } from './ling3.ts'
import { LLAMA3 } from './llama3.ts'
import { MINICPM5 } from './minicpm5.ts'
import { MUSE_GLIMMER } from './muse-glimmer.ts'
import { SOLAR } from './solar.ts'
import type { MessageDialect } from '../reply/message-reader.ts'

const FAMILIES: readonly Family[] = [
  APRIEL16,
  COHERE,
  COMMAND_R_PLUS,
  FUNCTIONARY32,
  GIGACHAT3,
  GPT_OSS,
  GRANITE3,
  KIMI_K3,
  LFM2,
  LING3,
  LLAMA3,
  MINICPM5,
  MUSE_GLIMMER,
  SOLAR,
]

/** The family of a model, by the text of its template. */
export function findFamily(source: string): Family | undefined {
  return FAMILIES.find((family) => isOfFamily(source, family))
}

/** The name of the family that a dialect belongs to. */
export function nameDialect(dialect: MessageDialect): string {
  const family = FAMILIES.find((other) => other.dialect === dialect)
  if (family === undefined) throw new Error('A dialect belongs to no family')
  return family.name
}

/** The dialect of the family with this name. */
export function findDialect(name: string): MessageDialect {
  const dialect = FAMILIES.find((family) => family.name === name)?.dialect
  if (dialect === undefined) throw new Error(`The family ${name} has no dialect`)
  return dialect
}
