// NVIDIA's graphics cards, by their driver's own tool.

import { join } from 'node:path'
import { listFolder } from '../system/list-folder.ts'
import { readText } from '@hearth/command-line/files/read-text'
import type { RunCommand } from '../system/run-command.ts'
import type { Meter, Reading } from './meter.ts'

const ASK_MS = 5_000
const QUESTION = ['--query-gpu=power.draw', '--format=csv,noheader,nounits']
const CARDS = 'sys/bus/pci/drivers/nvidia'
const CARD = /^[0-9a-f]{4}:[0-9a-f]{2}:/
/** No card takes more. */
const MOST_WATTS = 10_000

/** `root` is where the file system begins: '/', except in tests. */
export function createNvidiaMeter(run: RunCommand, root = '/'): Meter {
  return {
    part: 'gpu',
    async read(_now, signal) {
      if (isAsleep(root)) return { kind: 'power', watts: 0 }
      const { code, stdout } = await run('nvidia-smi', QUESTION, { timeoutMs: ASK_MS, signal })
      return code === 0 ? sumOf(stdout) : { kind: 'none' }
    },
  }
}

/** A laptop turns off its card while nothing uses it. The question alone would turn it on again. */
function isAsleep(root: string): boolean {
  const folder = join(root, CARDS)
  const cards = listFolder(folder).filter((name) => CARD.test(name))
  const states = cards.map((card) => readText(join(folder, card, 'power/runtime_status'))?.trim())
  return states.length > 0 && states.every((state) => state === 'suspended')
}

/** One line for each card: "84.07", or words in brackets from a card that doesn't measure its power. */
function sumOf(output: string): Reading {
  const lines = output.split('\n').map((line) => line.trim())
  const watts = lines.filter((line) => /^\d+(\.\d+)?$/.test(line)).map(Number)
  const believable = watts.filter((value) => value <= MOST_WATTS)
  if (believable.length === 0) return { kind: 'none' }
  return { kind: 'power', watts: believable.reduce((sum, value) => sum + value, 0) }
}
