import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { QUESTION } from '../../harness/client/under-load.ts'
import type { Hearth } from '../hearth.ts'
import { DEVICE, findParts, GATEWAY, HANGS_AT, LOOP_SIGNAL } from '../../launcher/launched-parts.ts'
import { seconds, type Figure, type Week } from '../week.ts'

const PARTS = [
  ['gateway', GATEWAY],
  ['device', DEVICE],
  ['database', 'store/embedded/main.ts'],
] as const
const HANGS = [
  ['SIGSTOP', 'stopped'],
  [LOOP_SIGNAL, 'in an endless loop'],
] as const
/** 15 s until it is ended, and its start. */
const MOST_SECONDS = 30

/** Hangs one part after the other. */
export async function hang(week: Week): Promise<Figure[]> {
  await using hearth = await week.start({ data: join(week.folder, 'hung'), environment: HANGS_AT })
  const figures: Figure[] = []
  for (const [name, program] of PARTS)
    for (const [signal, how] of HANGS) {
      const from = hearth.launcher.output().length
      const [pid] = await findParts(hearth.launcher, program)
      console.log(`  $ kill -${signal} ${pid}  # ${name}`)
      const since = performance.now()
      process.kill(pid!, signal)
      await isAnswered(hearth)
      const answered = ((performance.now() - since) / 1_000).toFixed(1)
      await hearth.launcher.heard(`${name} is back`, from)
      figures.push(
        seconds(`${name} ${how}: a request is answered after ${answered} s, and it is back`, since, MOST_SECONDS),
      )
    }
  return figures
}

/** A patient client, which asks again only if its connection breaks or it gets an error. */
async function isAnswered({ client }: Hearth): Promise<void> {
  const ask = () => client.post(QUESTION).catch(() => undefined)
  while ((await ask())?.status !== 200) await sleep(50)
}
